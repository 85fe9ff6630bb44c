// SPDX-License-Identifier: Apache-2.0
//
// The commands that a command line comes to. Nothing runs here; inputs are files of this test's own folder.
#include "tools/nvcc/plan.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "support/catch.hpp"
#include "tools/nvcc/processes/processes.hpp"
#include "tools/nvcc/processes/scratch.hpp"

using Catch::Matchers::ContainsSubstring;
using namespace warpfiber::tools::nvcc;
using Words = std::vector<std::string>;

namespace {

const Toolchain kToolchain{.preprocessing = {"-I/ours"},
                           .compiling = {"-fours"},
                           .checking = {"/ours/hooks.a"},
                           .checking_library = {"/ours/hooks_pic.a"},
                           .checking_object = "/ours/hooks_of_program.o",
                           .checking_object_of_library = "/ours/hooks.o",
                           .linking_shared = {"/ours/library.so"},
                           .linking_program = {"/ours/program.a"},
                           .linking_static = {"/ours/library.a", "-ldl"},
                           .error = "",
                           .assembler = "/ours/as",
                           .opengl = "/ours/opengl",
                           .runtime = "/runtime"};

class Folder {
 public:
  std::string file(const std::string& name, const std::string& text = "") const {
    std::ofstream(scratch_.path() + "/" + name) << text;
    return scratch_.path() + "/" + name;
  }
  Plan plan(const Words& words) const {
    const ParsedNvccOptions parsed = parse_options(words);
    REQUIRE(parsed.error.empty());
    return make_plan(parsed.options, kToolchain, "/scratch");
  }

 private:
  ScratchFolder scratch_;
};

bool has(const Command& command, const std::string& word) {
  return std::find(command.begin(), command.end(), word) != command.end();
}

}  // namespace

TEST_CASE("a CUDA file is preprocessed, translated, compiled and linked") {
  const Folder folder;
  const Plan plan = folder.plan({folder.file("a.cu"), "-o", "app", "-O3", "-DN=4", "-lm"});
  REQUIRE(plan.steps.size() == 3);
  const Step& translation = plan.steps[0];
  CHECK(translation.translates());
  CHECK(has(translation.command, "-E"));
  CHECK(has(translation.command, "-DN=4"));
  CHECK(has(translation.command, "-D__CUDACC__"));
  CHECK_FALSE(has(translation.command, "-D__CUDA_ARCH__=900"));
  CHECK(has(translation.device_command, "-D__CUDA_ARCH__=900"));
  CHECK(has(plan.steps[1].command, translation.translated));
  CHECK(has(plan.steps[1].command, "-O3"));
  CHECK(has(plan.steps[2].command, "/ours/library.so"));
  CHECK(has(plan.steps[2].command, "-lm"));
  CHECK(plan.result == "app");
}

TEST_CASE("a library of CUDA's that this installation lacks is named before anything is compiled") {
  const Folder folder;
  const std::string source = folder.file("a.cu");
  Toolchain toolchain = kToolchain;
  toolchain.has_cuda_libraries = false;
  const auto error_of = [&](const std::string& word) {
    return make_plan(parse_options({source, word}).options, toolchain, "/scratch").error;
  };
  CHECK_THAT(error_of("-lcublas"), ContainsSubstring("-lcublas: this Warpfiber was built without CUDA's libraries"));
  CHECK_THAT(error_of("/cuda/lib64/libcufft.so.12"), ContainsSubstring("libcufft.so.12: this Warpfiber was"));
  CHECK(error_of("-lcudart").empty());
  toolchain.has_cuda_libraries = true;
  CHECK(error_of("-lcublas").empty());
}

TEST_CASE("the runtime lies at a known place only where one command makes the whole program") {
  const Folder folder;
  const std::string source = folder.file("a.cu");
  Toolchain toolchain = kToolchain;
  const auto knows = [&](Words words) {
    words.push_back(source);
    const Plan plan = make_plan(parse_options(words).options, toolchain, "/scratch");
    REQUIRE(plan.ok());
    CHECK(has(plan.steps[0].command, "-DWARPFIBER_WHOLE_PROGRAM") ==
          has(plan.steps[0].device_command, "-DWARPFIBER_WHOLE_PROGRAM"));
    return has(plan.steps[0].command, "-DWARPFIBER_WHOLE_PROGRAM");
  };
  CHECK(knows({}));
  CHECK(knows({"-fcheck", "-O3", "-L", "here", "-lm", "-lcudart", "b.o", "kernels.a", "-Xcompiler", "-Wall"}));
  CHECK_FALSE(knows({"-c"}));
  CHECK_FALSE(knows({"-dc"}));
  CHECK_FALSE(knows({"-lib"}));
  CHECK_FALSE(knows({"-shared"}));
  CHECK_FALSE(knows({"-lkernels"}));
  CHECK_FALSE(knows({"libkernels.so"}));
  CHECK_FALSE(knows({"libkernels.so.1"}));
  CHECK_FALSE(knows({"-Xlinker", "-lkernels"}));
  CHECK_FALSE(knows({"-Xcompiler", "-Wl,-lkernels"}));
  CHECK_FALSE(knows({"-Xcompiler", "-shared"}));
}

TEST_CASE("-cuda ends with the translated text of the CUDA files") {
  const Folder folder;
  const Plan plan = folder.plan({"-cuda", folder.file("a.cu"), folder.file("b.cpp")});
  REQUIRE(plan.steps.size() == 1);
  CHECK(plan.steps[0].translates());
  CHECK(plan.steps[0].translated == "a.cu.cpp.ii");
  CHECK(folder.plan({"-cuda", folder.file("a.cu"), "-o", "a.cpp"}).steps[0].translated == "a.cpp");
}

TEST_CASE("our headers come before the user's folders") {
  const Folder folder;
  const Command command = folder.plan({folder.file("a.cu"), "-I/usr/local/cuda/include"}).steps[0].command;
  const auto at = [&command](const char* word) { return std::find(command.begin(), command.end(), word); };
  CHECK(at("-I/ours") < at("-I/usr/local/cuda/include"));
}

TEST_CASE("host files are compiled as they are") {
  const Folder folder;
  const Plan plan = folder.plan({"-c", folder.file("a.cpp")});
  REQUIRE(plan.steps.size() == 1);
  CHECK_FALSE(plan.steps[0].translates());
  CHECK_FALSE(has(plan.steps[0].command, "-D__CUDACC__"));
  CHECK(plan.result == "a.o");
}

TEST_CASE("CUDA files may read memory as other types unless the user says otherwise") {
  const Folder folder;
  const Command compile = folder.plan({folder.file("a.cu"), "-Xcompiler", "-fstrict-aliasing"}).steps[1].command;
  const auto at = [&compile](const char* word) { return std::find(compile.begin(), compile.end(), word); };
  REQUIRE(has(compile, "-fno-strict-aliasing"));
  CHECK(at("-fno-strict-aliasing") < at("-fstrict-aliasing"));
  CHECK(at("-fno-strict-aliasing") < at("@/scratch/0-a.flags"));
  CHECK(at("@/scratch/0-a.flags") < at("-fstrict-aliasing"));
  CHECK_FALSE(has(folder.plan({"-c", folder.file("b.cpp")}).steps[0].command, "-fno-strict-aliasing"));
}

TEST_CASE("a loop in a kernel that waits for a plain flag is not deleted") {
  const Folder folder;
  for (const char* compiler : {"g++", "clang++"}) {
    CHECK(has(folder.plan({folder.file("a.cu"), "-ccbin", compiler}).steps[1].command, "-fno-finite-loops"));
  }
}

TEST_CASE("g++ leaves calls on both sides of a branch in kernels apart") {
  const Folder folder;
  CHECK(has(folder.plan({folder.file("a.cu")}).steps[1].command, "-fno-tree-tail-merge"));
  CHECK_FALSE(has(folder.plan({folder.file("a.cu"), "-ccbin", "clang++"}).steps[1].command, "-fno-tree-tail-merge"));
  CHECK_FALSE(has(folder.plan({"-c", folder.file("b.cpp")}).steps[0].command, "-fno-tree-tail-merge"));
}

TEST_CASE("kernels are optimised as far as rows of threads need to be vectorised") {
  const Folder folder;
  const auto vectorises = [&](std::vector<std::string> options) {
    options.push_back(folder.file("a.cu"));
    const std::vector<std::string> command = folder.plan(options).steps[1].command;
    return has(command, "-fsplit-loops") && has(command, "-fvect-cost-model=dynamic");
  };
  CHECK(vectorises({}));
  CHECK(vectorises({"-O2"}));
  CHECK_FALSE(vectorises({"-O3"}));
  CHECK_FALSE(vectorises({"-O1"}));
  CHECK_FALSE(vectorises({"-G"}));
  CHECK_FALSE(vectorises({"-fcheck"}));
  CHECK_FALSE(vectorises({"-ccbin", "clang++"}));
}

TEST_CASE("older standards are raised to the oldest that the headers are written in, newer ones kept") {
  const Folder folder;
  const std::string source = folder.file("a.cu");
  CHECK(has(folder.plan({"-std=c++11", source}).steps[1].command, "-std=gnu++20"));
  CHECK(has(folder.plan({source}).steps[1].command, "-std=gnu++20"));
  CHECK(has(folder.plan({"-std=c++23", source}).steps[1].command, "-std=gnu++23"));
  CHECK(has(folder.plan({"-std=c++17", source}).steps[0].command, "-DWARPFIBER_RAISED_STANDARD"));
  CHECK_FALSE(has(folder.plan({"-std=c++20", source}).steps[0].command, "-DWARPFIBER_RAISED_STANDARD"));
}

TEST_CASE("host files stay in C++17 unless they include our own headers") {
  const Folder folder;
  const std::string host = folder.file("a.cpp", "#include <cuda_runtime.h>\n");
  CHECK(has(folder.plan({host}).steps[0].command, "-std=gnu++17"));
  CHECK(has(folder.plan({"-std=c++11", host}).steps[0].command, "-std=gnu++17"));
  CHECK(has(folder.plan({"-std=c++20", host}).steps[0].command, "-std=gnu++20"));
  const std::string native = folder.file("b.cpp", "#include <warpfiber/warpfiber.hpp>\n");
  CHECK(has(folder.plan({native}).steps[0].command, "-std=gnu++20"));
}

TEST_CASE("without -O kernels are compiled for speed unless they are to be debugged") {
  const Folder folder;
  const std::string source = folder.file("a.cu");
  CHECK(has(folder.plan({source}).steps[1].command, "-O2"));
  CHECK(has(folder.plan({"-G", source}).steps[1].command, "-O0"));
}

TEST_CASE("-cudart says which form of the runtime is linked") {
  const Folder folder;
  const std::string source = folder.file("a.cu");
  const auto link = [&](Words words) {
    words.insert(words.end(), {source, "-lcudart"});
    return folder.plan(words).steps.back().command;
  };
  for (const Words& words : {Words{}, Words{"-cudart", "shared"}, Words{"--cudart=shared"}}) {
    CHECK(has(link(words), "/ours/library.so"));
    CHECK(has(link(words), "/ours/program.a"));
    CHECK_FALSE(has(link(words), "/ours/library.a"));
  }
  CHECK(has(link({"-cudart", "static"}), "/ours/library.a"));
  CHECK_FALSE(has(link({"-cudart", "static"}), "/ours/library.so"));
  CHECK_FALSE(has(link({"-cudart", "static"}), "/ours/program.a"));
  CHECK_FALSE(has(link({"-cudart", "none"}), "/ours/library.so"));
  CHECK_FALSE(has(link({"-cudart", "none"}), "/ours/library.a"));
  CHECK(has(link({"-cudart", "none"}), "-lcudart"));
  CHECK_FALSE(has(link({"-shared"}), "/ours/program.a"));
  CHECK(has(link({"-shared", "-fcheck"}), "/ours/hooks_pic.a"));
}

TEST_CASE("without a shared library programs are linked with the archive") {
  const Folder folder;
  Toolchain toolchain = kToolchain;
  toolchain.linking_shared.clear();
  const Plan plan = make_plan(parse_options({folder.file("a.cu")}).options, toolchain, "/scratch");
  CHECK(has(plan.steps.back().command, "/ours/library.a"));
}

TEST_CASE("the toolkit's own libraries are left out of the link") {
  const Folder folder;
  const Plan plan = folder.plan({folder.file("a.cu"), "-lcudart", "-lcudadevrt", "-lm", "/cuda/libcudart.so.13.0"});
  CHECK_FALSE(has(plan.steps[2].command, "/cuda/libcudart.so.13.0"));
  CHECK_FALSE(has(plan.steps[2].command, "-lcudart"));
  CHECK_FALSE(has(plan.steps[2].command, "-lcudadevrt"));
  CHECK(has(plan.steps[2].command, "-lm"));
}

TEST_CASE("our OpenGL is searched behind the compiler's folders where a program is linked with OpenGL") {
  const Folder folder;
  const std::string file = folder.file("a.cu");
  for (const char* library : {"-lGL", "-lGLU", "-lGLEW", "-lglut"}) {
    const Command link = folder.plan({file, "-L/users", library}).steps[2].command;
    const auto ours = std::find(link.begin(), link.end(), "-Wl,-L/ours/opengl");
    CHECK(ours > std::find(link.begin(), link.end(), library));
    CHECK(ours != link.end());
    CHECK(has(link, "-Wl,-rpath,/ours/opengl"));
    CHECK(has(link, "/ours/program.a"));
  }
  CHECK_FALSE(has(folder.plan({file, "-lm"}).steps[2].command, "-Wl,-L/ours/opengl"));
}

TEST_CASE("dependencies are written beside the object unless the user says where") {
  const Folder folder;
  const std::string source = folder.file("a.cu");
  const Command beside = folder.plan({"-MD", "-c", source, "-o", "out/a.o"}).steps[0].command;
  CHECK(has(beside, "out/a.d"));
  CHECK(has(beside, "out/a.o"));
  const Command named = folder.plan({"-MD", "-MF", "x.dep", "-c", source}).steps[0].command;
  CHECK(has(named, "x.dep"));
}

TEST_CASE("objects go to the folder that -odir names, unless -o names them") {
  const Folder folder;
  const std::string input = folder.file("a.cu");
  CHECK(folder.plan({"-c", "-odir", "objects", input}).result == "objects/a.o");
  CHECK(folder.plan({"-dc", "--output-directory=objects/", input}).result == "objects/a.o");
  CHECK(folder.plan({"-c", "-odir", "objects", "-o", "b.o", input}).result == "b.o");
  CHECK(has(folder.plan({"-M", "-odir", "objects", input}).steps.front().command, "objects/a.o"));
}

TEST_CASE("what is neither a source nor linked is named where nothing is linked") {
  const Folder folder;
  CHECK_THAT(make_plan(parse_options({"-c", folder.file("a.cuh")}).options, kToolchain, "/scratch").error,
             ContainsSubstring("a.cuh"));
  CHECK(folder.plan({"-c", folder.file("a.cu"), "b.o", "libc.so.1", "-lm", "-Xlinker", "-x"}).ok());
  CHECK(folder.plan({"-lib", folder.file("a.cu"), "b.o"}).ok());
}

TEST_CASE("kernels are unwound even where the user's code has no exceptions") {
  const Folder folder;
  const Plan plan = folder.plan({"-c", "-Xcompiler", "-fno-exceptions", folder.file("a.cu")});
  CHECK(has(plan.steps.back().command, "-fexceptions"));
}

TEST_CASE("separate compilation needs no device linker") {
  const Folder folder;
  const Plan plan = folder.plan({"-dlink", folder.file("a.o"), "-o", "link.o"});
  REQUIRE(plan.steps.size() == 1);
  CHECK(plan.result == "link.o");
}

TEST_CASE("what cannot be planned is said") {
  const Folder folder;
  CHECK_THAT(folder.plan({"missing.cu"}).error, ContainsSubstring("missing.cu: no such file"));
  CHECK_THAT(folder.plan({}).error, ContainsSubstring("no input"));
  CHECK_THAT(folder.plan({"-c", folder.file("a.cu"), folder.file("b.cu"), "-o", "x.o"}).error,
             ContainsSubstring("several inputs"));
}

TEST_CASE("NVIDIA's own libcu++ is searched before ours where it is given") {
  const Folder folder;
  const std::filesystem::path root = std::filesystem::path(folder.file("a.cu")).parent_path();
  for (const char* const config : {"given/cuda/std/detail", "toolkit/cccl/cuda/std/detail", "old/cuda/std/detail"}) {
    std::filesystem::create_directories(root / config);
    std::ofstream(root / config / "__config");
  }
  std::ofstream(root / "toolkit/cuda_runtime.h");
  std::ofstream(root / "old/cuda_runtime.h");
  const auto words_with = [&](const char* option, const char* name) {
    return folder.plan({option, (root / name).string(), "-c", folder.file("a.cu")}).steps.front().command;
  };
  for (const char* const option : {"-I", "-isystem"}) {
    for (const auto& [name, first] : {std::pair("given", "given"), std::pair("toolkit", "toolkit/cccl")}) {
      const Command words = words_with(option, name);
      const auto theirs = std::ranges::find(words, "-I" + (root / first).string());
      const auto first_folder =
          std::ranges::find_if(words, [](const std::string& word) { return word.starts_with("-I"); });
      REQUIRE(first_folder != words.end());
      CHECK(first_folder->ends_with("/over_cccl"));
      CHECK(theirs == first_folder + 1);
      CHECK(std::ranges::count(words, "-DWARPFIBER_CCCL") == 1);
    }
    CHECK(std::ranges::count(words_with(option, "old"), "-DWARPFIBER_CCCL") == 0);
  }
}

TEST_CASE("a toolkit's libcu++ beside its runtime is searched after our runtime") {
  const Folder folder;
  const std::filesystem::path root = std::filesystem::path(folder.file("a.cu")).parent_path();
  std::filesystem::create_directories(root / "cuda/std/detail");
  for (const char* const file : {"cuda/std/detail/__config", "cuda/__cccl_config", "cuda_runtime.h"})
    std::ofstream(root / file);
  Command folders = folder.plan({"-I", root.string(), "-c", folder.file("a.cu")}).steps.front().command;
  CHECK(std::ranges::count(folders, "-DWARPFIBER_CCCL") == 1);
  std::erase_if(folders, [](const std::string& word) { return !word.starts_with("-I"); });
  CHECK(folders == Command{"-I/ours/over_cccl", "-I/runtime", "-I" + root.string(), "-I" + root.string()});
}

TEST_CASE("all files of a program are searched for the architecture") {
  const Folder folder;
  const std::string asks = folder.file("asks.cuh", "#if __CUDA_ARCH__ >= 700\n#endif\n");
  const std::string silent = folder.file("silent.cuh", "int x;\n");
  CHECK(asks_for_architecture("# 1 \"" + asks + "\" 1\nint x;\n"));
  CHECK(asks_for_architecture("# 1 \"" + asks + "\" 1 3\nint x;\n# 1 \"" + silent + "\"\n"));
  const std::string feature = folder.file("feature.cuh", "#if __CUDA_HAS_ARCH_SPECIFIC(90)\n#endif\n");
  CHECK(asks_for_architecture("# 1 \"" + feature + "\" 1\n"));
  const std::string list = folder.file("list.cuh", "#ifdef __CUDA_ARCH_LIST__\n#endif\n");
  CHECK_FALSE(asks_for_architecture("# 1 \"" + list + "\" 1\n"));
  CHECK_FALSE(asks_for_architecture("# 1 \"" + silent + "\" 1 3\nint x;\n# 1 \"<built-in>\"\n"));
}

TEST_CASE("commands are printed as a shell would take them") {
  CHECK(quoted({"g++", "-DX=a b", "it's", ""}) == R"(g++ '-DX=a b' 'it'\''s' '')");
}

TEST_CASE("a checked program is compiled with hooks and linked with ours before the library") {
  const Folder folder;
  const std::string cuda = folder.file("a.cu");
  const std::string host = folder.file("b.cpp");
  for (const char* compiler : {"g++", "clang++"}) {
    const Plan plan = folder.plan({"-fcheck", cuda, host, "-ccbin", compiler, "-Xcompiler", "-flto", "-o", "app"});
    const bool is_clang = compiler == std::string("clang++");
    REQUIRE(plan.steps.size() == (is_clang ? 5 : 4));
    CHECK_FALSE(has(plan.steps[0].command, "-fsanitize=thread"));
    CHECK(has(plan.steps[0].command, "-U_FORTIFY_SOURCE"));
    for (std::size_t compilation = 1; compilation + 1 < plan.steps.size(); ++compilation) {
      const Command& command = plan.steps[compilation].command;
      CHECK(has(command, "-fsanitize=thread"));
      CHECK(has(command, "-fsanitize=float-cast-overflow"));
      CHECK(has(command, "-fno-optimize-sibling-calls"));
      CHECK(has(command, "-g"));
      CHECK(std::ranges::find(command, "-flto") < std::ranges::find(command, "-fno-lto"));
      CHECK(has(command, "-fno-lto"));
      CHECK(has(command, is_clang ? "-tsan-distinguish-volatile=1" : "tsan-distinguish-volatile=1"));
      CHECK(has(command, "-fsanitize=alignment") == (!is_clang && compilation == 1));
      CHECK(has(command, is_clang ? "-fsanitize=array-bounds" : "-fsanitize=bounds-strict"));
      CHECK(has(command, "-B/ours/as") != is_clang);
    }
    CHECK(has(plan.steps.front().command, "-DWARPFIBER_CHECKED"));
    CHECK(has(plan.steps[plan.steps.size() - 2].command, "-DWARPFIBER_CHECKED"));
    const Command& link = plan.steps.back().command;
    CHECK_FALSE(has(link, "-fsanitize=thread"));
    CHECK_FALSE(has(link, "-fsanitize=float-cast-overflow"));
    CHECK(std::find(link.begin(), link.end(), "/ours/hooks.a") <
          std::find(link.begin(), link.end(), "/ours/library.so"));
    CHECK(has(link, "/ours/library.so"));
  }
}

TEST_CASE("a checked program tells where its variables are at each instruction for debuggers only") {
  const Folder folder;
  const std::string cuda = folder.file("a.cu");
  const auto leaves_out = [&](Words words) {
    words.insert(words.end(), {"-c", cuda, "-o", "a.o"});
    return has(folder.plan(words).steps[1].command, "-fno-var-tracking");
  };
  CHECK(leaves_out({"-fcheck"}));
  CHECK_FALSE(leaves_out({"-fcheck", "-g"}));
  CHECK_FALSE(leaves_out({"-fcheck", "-Xcompiler", "-ggdb"}));
  CHECK_FALSE(leaves_out({"-fcheck", "-G"}));
  CHECK_FALSE(leaves_out({"-fcheck", "-ccbin", "clang++"}));
  CHECK_FALSE(leaves_out({}));
}

TEST_CASE("host files without kernels are not checked for what only kernels need") {
  const Folder folder;
  const std::string host = folder.file("b.cpp", "#include <vector>\n");
  const std::string native = folder.file("n.cpp", "#include <warpfiber/warpfiber.hpp>\n");
  const auto leaves_out = [&](Words words, const std::string& input) {
    words.insert(words.end(), {"-c", input, "-o", "b.o"});
    return !has(folder.plan(words).steps[0].command, "-fsanitize=alignment");
  };
  CHECK(leaves_out({"-fcheck"}, host));
  CHECK(leaves_out({"-fcheck"}, folder.file("c.c")));
  CHECK_FALSE(leaves_out({"-fcheck"}, native));
  CHECK_FALSE(leaves_out({"-fcheck", "-std=c++20"}, host));
}

TEST_CASE("clang++ compiles kernels with hooks by way of a text in which copies are found") {
  const Folder folder;
  const Plan plan = folder.plan({"-fcheck", "-c", folder.file("a.cu"), "-ccbin", "clang++", "-o", "a.o"});
  REQUIRE(plan.steps.size() == 4);
  const Step& first = plan.steps[1];
  CHECK(has(first.command, "-disable-llvm-passes"));
  CHECK(first.command.back() == first.intermediate);
  const Command& second = plan.steps[2].command;
  CHECK(has(second, first.intermediate.c_str()));
  CHECK(second.back() == plan.steps[3].command[4]);
}

TEST_CASE("an object of checked code for a library carries the hooks that find thread variables by a call") {
  const Folder folder;
  const std::string cuda = folder.file("a.cu");
  const auto carried = [&](const Words& flags) {
    Words words{"-fcheck", "-c", cuda, "-o", "a.o"};
    for (const std::string& flag : flags) words.insert(words.end(), {"-Xcompiler", flag});
    return folder.plan(words).steps.back().command.back();
  };
  CHECK(carried({}) == "/ours/hooks_of_program.o");
  CHECK(carried({"-fPIE"}) == "/ours/hooks_of_program.o");
  CHECK(carried({"-fPIC"}) == "/ours/hooks.o");
  CHECK(carried({"-fpic"}) == "/ours/hooks.o");
  CHECK(carried({"-fPIC", "-fPIE"}) == "/ours/hooks_of_program.o");
  CHECK(carried({"-fPIC", "-fno-pic"}) == "/ours/hooks_of_program.o");
}

TEST_CASE("an object of checked code carries the hooks, and nothing else that is made does") {
  const Folder folder;
  const std::string cuda = folder.file("a.cu");
  for (const std::string& source : {cuda, folder.file("b.cpp")}) {
    const Plan plan = folder.plan({"-fcheck", "-c", source, "-MD", "-o", "a.o"});
    const Command& last = plan.steps.back().command;
    CHECK(Words(last.begin(), last.begin() + 4) == Words{"ld", "-r", "-o", "a.o"});
    CHECK(last.back() == "/ours/hooks_of_program.o");
    CHECK(plan.steps[plan.steps.size() - 2].command.back() == last[4]);
    CHECK(has(plan.steps.front().command, "a.o"));  // what dependencies are of
    CHECK(plan.result == "a.o");
  }
  const auto carries = [](const Plan& plan) {
    return std::ranges::any_of(plan.steps,
                               [](const Step& step) { return has(step.command, "/ours/hooks_of_program.o"); });
  };
  CHECK(carries(folder.plan({"-fcheck", "-lib", cuda, "-o", "a.a"})));
  CHECK_FALSE(carries(folder.plan({"-fcheck", cuda, "-o", "a"})));
  CHECK_FALSE(carries(folder.plan({"-fcheck", "-shared", cuda, "-o", "a.so"})));
  CHECK_FALSE(carries(folder.plan({"-c", cuda, "-o", "a.o"})));
}

TEST_CASE("a program that is not checked has no hooks") {
  const Folder folder;
  const Plan plan = folder.plan({folder.file("a.cu"), "-o", "app"});
  for (const Step& step : plan.steps) {
    CHECK_FALSE(has(step.command, "-fsanitize=thread"));
    CHECK_FALSE(has(step.command, "-B/ours/as"));
    CHECK_FALSE(has(step.command, "/ours/hooks.a"));
  }
}

TEST_CASE("checking is asked for in two spellings") {
  CHECK(parse_options({"-fcheck", "a.cu"}).options.check);
  CHECK(parse_options({"--check", "a.cu"}).options.check);
  CHECK_FALSE(parse_options({"a.cu"}).options.check);
}
