// SPDX-License-Identifier: Apache-2.0
//
// nvcc's command line: every spelling of an option means the same, and what nvcc does not know is refused by name.
#include "tools/nvcc/options.hpp"

#include "support/catch.hpp"

using Catch::Matchers::ContainsSubstring;
using namespace warpfiber::tools::nvcc;
using Words = std::vector<std::string>;

namespace {

Options parsed(const Words& words) {
  const Parsed result = parse_options(words);
  INFO(result.error);
  REQUIRE(result.ok());
  return result.options;
}

}  // namespace

TEST_CASE("options with values take them glued, after an equals sign, or as the next word") {
  const Words words = GENERATE(Words{"-Iinc", "-Ideep"}, Words{"-I", "inc", "-I", "deep"}, Words{"-I=inc", "-I=deep"},
                               Words{"--include-path", "inc,deep"}, Words{"--include-path=inc,deep"});
  CHECK(parsed(words).preprocessing == Words{"-Iinc", "-Ideep"});
}

TEST_CASE("short and long names mean the same") {
  CHECK(parsed({"--std=c++17"}).standard == "c++17");
  CHECK(parsed({"-std", "c++17"}).standard == "c++17");
  CHECK(parsed({"--optimize", "3"}).optimisation == "-O3");
  CHECK(parsed({"-O3"}).optimisation == "-O3");
  CHECK(parsed({"--output-file=app"}).output == "app");
  CHECK(parsed({"-o", "app"}).output == "app");
  CHECK(parsed({"--compile"}).goal == Goal::objects);
  CHECK(parsed({"-dc"}).relocatable);
  CHECK(parsed({"-dc"}).goal == Goal::objects);
  CHECK(parsed({"-rdc=true"}).relocatable);
  CHECK(parsed({"--default-stream", "per-thread"}).per_thread_stream);
}

TEST_CASE("the host compiler's options are parted at commas and at blanks") {
  CHECK(parsed({"-Xcompiler", "-Wall,-O2"}).host_flags == Words{"-Wall", "-O2"});
  CHECK(parsed({"-Xcompiler=-fopenmp -O3"}).host_flags == Words{"-fopenmp", "-O3"});
  CHECK(parsed({"--compiler-options", R"(-DLIST=a\,b)"}).host_flags == Words{"-DLIST=a,b"});
}

TEST_CASE("the highest architecture that is named counts") {
  CHECK(parsed({"-arch=sm_90"}).architecture == 900);
  CHECK(parsed({"-arch", "compute_90a"}).architecture == 900);
  CHECK(parsed({"-gencode", "arch=compute_80,code=sm_86"}).architecture == 860);
  CHECK(parsed({"-gencode=arch=compute_100,code=sm_100", "-gencode", "arch=compute_70,code=sm_70"}).architecture ==
        1000);
  CHECK(parsed({"-arch=native"}).architecture == 0);
}

TEST_CASE("sources are compiled and everything else is linked, in order") {
  const Options options = parsed({"a.cu", "b.o", "-lm", "c.cpp", "-Lfolder", "d.a"});
  CHECK(options.inputs == Words{"a.cu", "c.cpp"});
  CHECK(options.linking == Words{"b.o", "-lm", "-Lfolder", "d.a"});
}

TEST_CASE("a language makes a source of any file") {
  const Options options = parsed({"-x", "cu", "kernel.inc"});
  CHECK(options.inputs == Words{"kernel.inc"});
  CHECK(is_cuda_source("kernel.inc", options.language));
  CHECK(is_cuda_source("a.cu", ""));
  CHECK_FALSE(is_cuda_source("a.cpp", ""));
}

TEST_CASE("what says something about code for a GPU is taken and has no effect") {
  const Options options = parsed({"-lineinfo", "-maxrregcount=32", "-Xptxas", "-v,-O3", "--keep-dir", "d", "-cudart",
                                  "static", "-m64", "-diag-suppress=177", "-t0"});
  CHECK(options.host_flags.empty());
  CHECK(options.linking.empty());
}

TEST_CASE("unknown options are refused by name") {
  const auto* const option = GENERATE("-Wall", "-fPIC", "--no-such-option", "-fopenmp");
  const Parsed result = parse_options({"a.cu", option});
  CHECK_THAT(result.error, ContainsSubstring(std::string("'") + option + "'") && ContainsSubstring("-Xcompiler"));
}

TEST_CASE("options that ask for a GPU's code say that there is none") {
  CHECK_THAT(parse_options({"--ptx", "a.cu"}).error, ContainsSubstring("'--ptx'"));
  CHECK_THAT(parse_options({"-cubin", "a.cu"}).error, ContainsSubstring("GPU"));
}

TEST_CASE("an option at the end that lacks its value is named") {
  const auto* const option = GENERATE("-o", "-I", "--std", "-Xcompiler");
  CHECK_THAT(parse_options({"a.cu", option}).error, ContainsSubstring(option) && ContainsSubstring("value"));
}
