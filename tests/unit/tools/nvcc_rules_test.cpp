// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>

#include "support/catch.hpp"
#include "tools/nvcc/rules/assembly.hpp"
#include "tools/nvcc/rules/includes.hpp"
#include "tools/nvcc/rules/rules.hpp"
#include "tools/nvcc/rules/symbols.hpp"

namespace warpfiber::tools::nvcc {
namespace {

const std::string kBegin =
    "\t.file 0 \"/work\" \"a.cu\"\n\t.file 1 \"a.cu\"\n\t.type\t_Z1kPi, @function\n_Z1kPi:\n\t.loc 1 2 6\n";

std::vector<RuleViolation> judged(const std::string& source, const std::string& assembly, bool relaxed = false) {
  const std::string text = "# 1 \"a.cu\"\n" + source;
  const translate::Tokens tokens(text);
  const translate::Outline everything = translate::outline(tokens, true);
  const std::vector<std::string> folders;
  const translate::Spaces spaces = translate::read_spaces(tokens, everything, folders);
  return judge({tokens, everything, spaces, folders, relaxed}, read_assembly(kBegin + assembly));
}

const std::string kKernel = "__warpfiber_global__ void k(int* o) { *o = h(1); }\n";
const std::string kCall = "\t.loc 1 2 40\n\tcall\t_Z1hi\n";

}  // namespace

TEST_CASE("calls and variables of assembler text have the place that is said before them") {
  const Assembly assembly =
      read_assembly(kBegin +
                    "\t.loc 1 3 9\n\tcall\t_Z1hi@PLT\n\tmovl\tv(%rip), %eax\n\tleaq\tw(%rip), %rax\n"
                    "\tcall\t*%rax\n\t.cfi_endproc\n\tcall outside\n");
  REQUIRE(assembly.references.size() == 3);
  CHECK(assembly.references[0].symbol == "_Z1hi");
  CHECK(assembly.references[0].is_call);
  CHECK(assembly.references[0].from == translate::SourcePlace{"a.cu", 3, 9});
  CHECK(assembly.references[1].symbol == "v");
  CHECK_FALSE(assembly.references[1].is_address);
  CHECK(assembly.references[2].is_address);
  CHECK(assembly.functions.at("_Z1kPi") == translate::SourcePlace{"a.cu", 2, 6});
}

TEST_CASE("a symbol has the name that C++ writes") {
  CHECK(SymbolName("_Z2htIiET_S0_").path == "ht");
  CHECK(SymbolName("_Z2htIiET_S0_").signature == "ht<int>(int)");
  CHECK(SymbolName("_ZN1nNK1SIiE3getEii").path == "_ZN1nNK1SIiE3getEii");
  CHECK(SymbolName("_ZNK1n1S3getEii").path == "n::S::get");
  CHECK(SymbolName("_ZNK1n1S3getEii").parameters == 2);
  CHECK(SymbolName("rand").signature == "rand");
}

TEST_CASE("a host function called in a kernel is an error at the call") {
  const auto found = judged("int h(int);\n" + kKernel, kCall);
  REQUIRE(found.size() == 1);
  CHECK(found[0].is_error);
  CHECK(found[0].line() ==
        "a.cu:2:40: error: calling a __host__ function(\"h(int)\") from a __global__ function(\"k\") is not allowed\n"
        "a.cu:1:5: note: declared here; declare it __host__ __device__ to use it on both sides\n");
}

TEST_CASE("a function of which one declaration has the qualifier may be the device's") {
  CHECK(judged("__warpfiber_device__ int h(int); int h(int);\n" + kKernel, kCall).empty());
  CHECK(judged("__warpfiber_host__ __warpfiber_device__ int h(int);\n" + kKernel, kCall).empty());
  CHECK(judged("int h(float); __warpfiber_device__ int h(int);\n" + kKernel, kCall).empty());
}

TEST_CASE("constexpr functions of the host are allowed by an option") {
  CHECK(judged("constexpr int h(int a) { return a; }\n" + kKernel, kCall).size() == 1);
  CHECK(judged("constexpr int h(int a) { return a; }\n" + kKernel, kCall, true).empty());
}

TEST_CASE("functions of the C library are judged where they are named") {
  const std::string call = "\t.loc 1 2 40\n\tcall\trand\n\tcall\tputs\n\tcall\tsqrtf\n";
  const auto found = judged("\n__warpfiber_global__ void k(int* o) { *o = rand(); }\n", call);
  REQUIRE(found.size() == 1);
  CHECK(found[0].text == "calling a __host__ function(\"rand\") from a __global__ function(\"k\") is not allowed");
}

TEST_CASE("a kernel is called by launches only") {
  const std::string source = "__warpfiber_global__ void h(int);\nvoid k(int*) { h<<<1, 1>>>(1); h(1); }\n";
  const auto found = judged(source, "\t.loc 1 2 17\n\tcall\t_Z1hi\n\t.loc 1 2 33\n\tcall\t_Z1hi\n");
  REQUIRE(found.size() == 1);
  CHECK(found[0].at.column == 33);
  CHECK(found[0].text == "a __global__ function call must be configured");
}

TEST_CASE("files that are included are read from the text") {
  CHECK(included_headers("#include <cstdio>\n  #  include \"a/b.h\"\n// #include <no>\nint include;\n") ==
        std::vector<std::string>{"cstdio", "a/b.h"});
  CHECK(probe_of({"thrust/sort.h"}, {}).empty());
  CHECK(probe_of({"vector"}, {}).find("#include <vector>") != std::string::npos);
}

TEST_CASE("a name that no header declares is undefined") {
  const std::vector<StandardName> names{{"printf", false, {"a.cu", 1, 2}}, {"max", true, {"a.cu", 3, 4}}};
  const auto found = undeclared(names, "int max; int sprintf;");
  REQUIRE(found.size() == 1);
  CHECK(found[0].line() ==
        "a.cu:1:2: error: identifier \"printf\" is undefined\n"
        "a.cu:1:2: note: #include <cstdio>; NVIDIA's headers do not include it for you\n");
  CHECK(undeclared({{"max", true, {"a.cu", 3, 4}}}, "")[0].text == "namespace \"std\" has no member \"max\"");
  CHECK(includes_header_of({"printf", false, {}}, {"stdio.h"}));
  CHECK_FALSE(includes_header_of({"printf", false, {}}, {"stdint.h"}));
}

}  // namespace warpfiber::tools::nvcc
