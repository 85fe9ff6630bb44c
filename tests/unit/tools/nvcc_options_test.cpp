// SPDX-License-Identifier: Apache-2.0
//
// nvcc's command line: every spelling of an option means the same, and what nvcc does not know is refused by name.
#include "tools/nvcc/options.hpp"

#include "support/catch.hpp"

using Catch::Matchers::ContainsSubstring;
using namespace warpfiber::tools::nvcc;
using Words = std::vector<std::string>;

namespace {

NvccOptions parsed(const Words& words) {
  const ParsedNvccOptions result = parse_options(words);
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

TEST_CASE("quotes and backslashes are read as a shell reads them") {
  CHECK(parsed({"-Xcompiler", R"("-Wl,-rpath,/here")"}).host_flags == Words{"-Wl,-rpath,/here"});
  CHECK(parsed({"-Xcompiler", R"('-Wall')"}).host_flags == Words{"-Wall"});
  CHECK(parsed({"-Xcompiler", R"(-DNAME=\"x\",-O2)"}).host_flags == Words{R"(-DNAME="x")", "-O2"});
  CHECK(parsed({"-Xcompiler", R"(-DTEXT='"a b"')"}).host_flags == Words{R"(-DTEXT="a b")"});
  CHECK(parsed({"-Xlinker", R"("-rpath,/x y")"}).linking == Words{"-Xlinker", "-rpath,/x y"});
}

TEST_CASE("macros are a list, and commas between quotes part nothing") {
  CHECK(parsed({"--define-macro=A=1,B"}).preprocessing == Words{"-DA=1", "-DB"});
  CHECK(parsed({"-U", "A,B"}).preprocessing == Words{"-UA", "-UB"});
  CHECK(parsed({R"(-DNAME="a,b")"}).preprocessing == Words{R"(-DNAME="a,b")"});
  CHECK(parsed({R"(-DNAME=\"x\")"}).preprocessing == Words{R"(-DNAME="x")"});
  CHECK(parsed({R"(-DMAX\(a\,b\)=a)"}).preprocessing == Words{R"(-DMAX\(a,b\)=a)"});
}

TEST_CASE("unknown options go where the user says, wherever he says it") {
  CHECK(parsed({"-Wall", "-forward-unknown-to-host-compiler", "-fopenmp"}).host_flags == Words{"-Wall", "-fopenmp"});
  CHECK(parsed({"-forward-unknown-to-host-compiler", "-march=native", "-mfma", "-m64", "-xhost"}).host_flags ==
        Words{"-march=native", "-mfma", "-xhost"});
  CHECK(parsed({"--forward-unknown-to-host-linker", "-znow"}).linking == Words{"-Xlinker", "-znow"});
  const NvccOptions both = parsed({"--forward-unknown-opts", "-fopenmp"});
  CHECK(both.host_flags == Words{"-fopenmp"});
  CHECK(both.linking == Words{"-Xlinker", "-fopenmp"});
}

TEST_CASE("values that an option does not have are refused with those that it has") {
  const auto [option, value] = GENERATE(table<std::string, std::string>({{"-std", "banana"},
                                                                         {"-std", "c++16"},
                                                                         {"-arch", "sm_x"},
                                                                         {"-arch", "banana"},
                                                                         {"-code", "sm_90,compute"},
                                                                         {"-gencode", "compute_90"},
                                                                         {"-gencode", "arch=compute_90"},
                                                                         {"-gencode", "arch=x,code=sm_90"},
                                                                         {"-rdc", "maybe"},
                                                                         {"-x", "fortran"},
                                                                         {"-default-stream", "mine"},
                                                                         {"-maxrregcount", "many"},
                                                                         {"-ftz", "1"},
                                                                         {"-m", "32"},
                                                                         {"-cudart", "dynamic"}}));
  const ParsedNvccOptions result = parse_options({option, value});
  INFO(option + " " + value);
  CHECK_THAT(result.error, ContainsSubstring("'" + option + "'"));
}

TEST_CASE("every way to write an architecture is one") {
  const auto* const value = GENERATE("sm_90", "compute_75", "sm_100a", "sm_120f", "native", "all", "all-major");
  CHECK(parse_options({"-arch", value}).ok());
}

TEST_CASE("several architectures of one -gencode may be in brackets or quotes") {
  const auto* const value =
      GENERATE("arch=compute_80,code=[sm_80,compute_80]", R"(arch=compute_80,code="sm_80,compute_80")",
               R"(arch=compute_80,code=\"sm_80,compute_80\")", "code=sm_80,arch=compute_80");
  CHECK(parsed({"-gencode", value}).architecture == 800);
}

TEST_CASE("the highest architecture that is named counts") {
  CHECK(parsed({"-arch=sm_90"}).architecture == 900);
  CHECK(parsed({"-arch=sm_90"}).architecture_kind == '\0');
  CHECK(parsed({"-arch=sm_90a"}).architecture_kind == 'a');
  CHECK(parsed({"-gencode", "arch=compute_100f,code=sm_100", "-gencode", "arch=compute_90a,code=sm_90a"})
            .architecture_kind == 'f');
  CHECK(parsed({"-arch", "compute_90a"}).architecture == 900);
  CHECK(parsed({"-gencode", "arch=compute_80,code=sm_86"}).architecture == 860);
  CHECK(parsed({"-gencode=arch=compute_100,code=sm_100", "-gencode", "arch=compute_70,code=sm_70"}).architecture ==
        1000);
  CHECK(parsed({"-arch=native"}).architecture == 0);
}

TEST_CASE("sources are compiled and everything else is linked, in order") {
  const NvccOptions options = parsed({"a.cu", "b.o", "-lm", "c.cpp", "-Lfolder", "d.a"});
  CHECK(options.inputs == Words{"a.cu", "c.cpp"});
  CHECK(options.linking == Words{"b.o", "-lm", "-Lfolder", "d.a"});
}

TEST_CASE("a language makes a source of any file") {
  const NvccOptions options = parsed({"-x", "cu", "kernel.inc"});
  CHECK(options.inputs == Words{"kernel.inc"});
  CHECK(is_cuda_source("kernel.inc", options.language));
  CHECK(is_cuda_source("a.cu", ""));
  CHECK_FALSE(is_cuda_source("a.cpp", ""));
}

TEST_CASE("what says something about code for a GPU is taken and has no effect") {
  const NvccOptions options = parsed({"-lineinfo", "-maxrregcount=32", "-Xptxas", "-v,-O3", "--keep-dir", "d",
                                      "-cudart", "static", "-m64", "-diag-suppress=177", "-t0"});
  CHECK(options.host_flags.empty());
  CHECK(options.linking.empty());
}

TEST_CASE("every option of CUDA 13.0 that cannot matter here is taken") {
  const NvccOptions options = parsed({"-dopt",
                                      "on",
                                      "-Ofc=max",
                                      "-lto",
                                      "--no-compress",
                                      "-ewp",
                                      "--no-exceptions",
                                      "-nodlink",
                                      "--brief-diagnostics=true",
                                      "-jtd",
                                      "50",
                                      "--relocatable-ptx",
                                      "-compress-mode=size",
                                      "-split-compile-extended=2",
                                      "-fdevice-time-trace",
                                      "t.json",
                                      "-opt-info",
                                      "inline",
                                      "-keep-device-functions",
                                      "-nohdinitlist"});
  CHECK(options.host_flags.empty());
  CHECK(options.linking.empty());
  CHECK(parsed({"-ftemplate-depth", "2000"}).host_flags == Words{"-ftemplate-depth=2000"});
  CHECK(parsed({"-arbin=/usr/bin/ar"}).archiver == "/usr/bin/ar");
}

TEST_CASE("unknown options are refused by name") {
  const auto* const option = GENERATE("-Wall", "-fPIC", "--no-such-option", "-fopenmp");
  const ParsedNvccOptions result = parse_options({"a.cu", option});
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
