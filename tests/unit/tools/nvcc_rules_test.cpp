// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>
#include <vector>

#include "support/catch.hpp"
#include "tools/nvcc/rules/assembly.hpp"
#include "tools/nvcc/rules/includes.hpp"
#include "tools/nvcc/rules/rules.hpp"
#include "tools/nvcc/rules/symbols.hpp"
#include "translate/text/lines.hpp"

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

/// The texts of what the words of a program show, errors with "!" before them.
std::vector<std::string> told(const std::string& source, unsigned architecture = 900, bool warns_in_loops = false) {
  const std::string text = "# 1 \"a.cu\"\n" + source;
  const translate::Tokens tokens(text);
  const translate::Outline everything = translate::outline(tokens, true);
  const std::vector<std::string> folders;
  const translate::Spaces spaces = translate::read_spaces(tokens, everything, folders);
  Judged program{tokens, everything, spaces, folders};
  program.architecture = architecture;
  program.warns_in_loops = warns_in_loops;
  std::vector<std::string> texts;
  for (const RuleViolation& violation : judge_words(program))
    texts.push_back((violation.is_error ? "!" : "") + violation.text);
  return texts;
}

using Texts = std::vector<std::string>;

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

TEST_CASE("a launch begins with the first word of its kernel's name") {
  const auto call = [](unsigned column) { return "\t.loc 1 2 " + std::to_string(column) + "\n\tcall\t_Z1hILi3EEvi\n"; };
  const std::string kernel = "template <int> __warpfiber_global__ void h(int);\n";
  for (const unsigned column : {16U, 17U, 19U, 20U, 30U})
    CHECK(judged(kernel + "void k(int*) { h<3><<<1, 1>>>(1); }\n", call(column)).empty());
  CHECK(judged(kernel + "void k(int*) { ::h<3><<<1, 1>>>(1); }\n", call(16)).empty());
  CHECK(judged(kernel + "void k(int*) { h<3>(2), h<3><<<1, 1>>>(1); }\n", call(16)).size() == 1);
}

TEST_CASE("a launch is one at any column of its line") {
  for (const unsigned blanks : {180U, 199U, 200U, 240U, 1990U, 2100U, 4000U, 70000U}) {
    const std::string source = "__warpfiber_global__ void h(int);\nvoid k(int*) { " + std::string(blanks, ' ') +
                               "h<<<1, 1>>>(1); h<<<1, 1>>>(2); }\n";
    const auto place = [](unsigned column) { return "\t.loc 1 2 " + std::to_string(column) + "\n\tcall\t_Z1hi\n"; };
    // The compiler counts the columns of the text that continue_at() has made.
    const unsigned last = translate::kLastKeptColumn + 12;
    CHECK(judged(source, place(std::min(17 + blanks, last)) + place(std::min(33 + blanks, last)) + place(0)).empty());
  }
}

TEST_CASE("only kernels are launched") {
  const Texts host{"!a host function call cannot be configured"};
  CHECK(told("void f(int*) {} int main() { f<<<1, 1>>>(0); }\n") == host);
  CHECK(told("template <class T> void f(T*) {} int main() { f<int><<<1, 1>>>(0); }\n") == host);
  CHECK(told("__warpfiber_device__ void f(int*) {} int main() { f<<<1, 1>>>(0); }\n") ==
        Texts{"!a __device__ function call cannot be configured"});
  CHECK(told("__warpfiber_global__ void f(int*) {} int main() { f<<<1, 1>>>(0); }\n").empty());
  CHECK(told("__warpfiber_global__ void f(int*); void f(int*) {} int main() { f<<<1, 1>>>(0); }\n").empty());
  CHECK(told("void f(int*) {} int main() { void (*f)(int*) = g; f<<<1, 1>>>(0); }\n").empty());
  CHECK(told("int main() { table[2]<<<1, 1>>>(0); }\n").empty());
}

TEST_CASE("kernels are launched by the host") {
  const std::string source =
      "__warpfiber_global__ void f(int*); __warpfiber_global__ void g(int* o) { f<<<1, 1>>>(o); }\n";
  CHECK(told(source) ==
        Texts{"!kernel launch from __device__ or __global__ functions requires separate compilation mode"});
}

TEST_CASE("shuffles without a mask are gone since sm_70") {
  const std::string source = "__warpfiber_device__ int f(int v) { return __shfl_down(v, 1); }\n";
  CHECK(told(source) == Texts{"!identifier \"__shfl_down\" is undefined"});
  CHECK(told(source, 600).empty());
  CHECK(told("__warpfiber_device__ int __shfl_down(int v, int n) { return v + n; }\n" + source).empty());
}

TEST_CASE("arrays of dynamic shared memory are one memory") {
  const std::string begin =
      "__warpfiber_global__ void k(int* o) { extern __warpfiber_shared__ int a[]; extern __warpfiber_shared__ float "
      "b[];";
  CHECK(told(begin + " a[0] = 1; b[0] = 2; o[0] = a[0]; }\n") ==
        Texts{"\"a\" and \"b\" are one memory: line 1 has overwritten what line 1 stored"});
  CHECK(told(begin + " a[0] = 1; o[0] = a[0]; b[0] = 2; o[1] = b[0]; }\n").empty());
  CHECK(told(begin + " a[0] = 1; b[0] = 2; o[0] = b[0]; a[0] = 3; o[0] = a[0]; }\n").empty());
}

TEST_CASE("a sum in a loop begins with a value") {
  const auto kernel = [](const std::string& body) {
    return "__warpfiber_global__ void k(float* o, int n) {" + body + "}\n";
  };
  const Texts unset{"variable \"s\" is used before its value is set"};
  CHECK(told(kernel("float s; for (int i = 0; i < n; ++i) s += o[i];")) == unset);
  CHECK(told(kernel("unsigned int s; while (n > 0) { --n; s += 2; }")) == unset);
  CHECK(told(kernel("float s; for (int i = 0; i < n; ++i) s += o[i];"), 900, true).empty());
  CHECK(told(kernel("float s; s = 0; for (int i = 0; i < n; ++i) s += o[i];")).empty());
  CHECK(told(kernel("float s; for (s = 0; n > 0; --n) s += o[n];")).empty());
  CHECK(told(kernel("float s; for (int i = 0; i < n; ++i) if (i) s += o[i]; else s = 1;")).empty());
  CHECK(told(kernel("Sum s; for (int i = 0; i < n; ++i) s += o[i];")).empty());
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
