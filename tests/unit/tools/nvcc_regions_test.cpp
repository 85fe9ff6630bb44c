// SPDX-License-Identifier: Apache-2.0
//
// The second compilation of -fregions: its commands, what stands against it, what its plugin reports. Nothing runs
// here.
#include <algorithm>
#include <fstream>

#include "support/catch.hpp"
#include "tools/nvcc/plan.hpp"
#include "tools/nvcc/processes/processes.hpp"
#include "tools/nvcc/processes/scratch.hpp"
#include "tools/nvcc/regions/compiler_names.hpp"
#include "tools/nvcc/regions/report.hpp"
#include "tools/nvcc/regions/unit.hpp"
#include "tools/nvcc/sidecar.hpp"

using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::StartsWith;
using namespace warpfiber::tools::nvcc;
using Words = std::vector<std::string>;

namespace {

const Toolchain kToolchain{.preprocessing = {"-I/ours"},
                           .compiling = {"-fours"},
                           .checking = {},
                           .linking_shared = {"/ours/library.so"},
                           .linking_program = {"/ours/program.a"},
                           .linking_static = {"/ours/library.a"},
                           .error = "",
                           .region_plugin = "/ours/regions.so",
                           .region_llvm = "14",
                           .region_compiler = "clang++-14"};

bool has(const Command& command, const std::string& word) {
  return std::ranges::find(command, word) != command.end();
}

/// Of `a.cu` with further words.
Plan plan_of(Words words, const Toolchain& toolchain = kToolchain) {
  const ScratchFolder folder;
  words.push_back(folder.path() + "/a.cu");
  std::ofstream(words.back()) << "";
  const ParsedNvccOptions parsed = parse_options(words);
  REQUIRE(parsed.error.empty());
  return make_plan(parsed.options, toolchain, "/scratch");
}

std::string obstacle(const Words& words) {
  return obstacle_to_regions(parse_options(words).options);
}

}  // namespace

TEST_CASE("regions are asked for in two ways") {
  CHECK_FALSE(parse_options({"a.cu"}).options.regions);
  CHECK(parse_options({"-fregions", "a.cu"}).options.regions);
  CHECK_FALSE(parse_options({"-fregions", "a.cu"}).options.regions_report);
  CHECK(parse_options({"-fregions=report", "a.cu"}).options.regions_report);
  CHECK(parse_options({"-fregions=report", "a.cu"}).options.regions);
  CHECK(parse_options({"-fregions=maybe", "a.cu"}).unknown == "-fregions=maybe");
}

TEST_CASE("with regions a CUDA file is compiled a second time, by clang++ with the plugin") {
  const Plan plan =
      plan_of({"-fregions", "-std=c++23", "-DN=4", "-Xcompiler", "-fPIC,-Wall,-ggdb,-O1,-DM", "-o", "app"});
  REQUIRE(plan.steps.size() == 3);
  const Command& preprocess = plan.steps[0].regions.command;
  CHECK(preprocess.front() == "clang++-14");
  for (const char* word : {"-E", "-DWARPFIBER_REGIONS", "-DN=4", "-DM", "-DWARPFIBER_WHOLE_PROGRAM", "-std=gnu++23"}) {
    CAPTURE(word);
    CHECK(has(preprocess, word));
  }
  CHECK_FALSE(has(plan.steps[0].command, "-DWARPFIBER_REGIONS"));
  CHECK(has(plan.steps[0].regions.device_command, "-D__CUDA_ARCH__=900"));
  const Command& compile = plan.steps[1].regions.command;
  CHECK(compile.front() == "clang++-14");
  for (const char* word : {"-c", "-O3", "-g1", "-std=gnu++23", "-fPIC", "-fno-strict-aliasing", "-fno-finite-loops",
                           "-ffp-contract=off", "-fpass-plugin=/ours/regions.so"}) {
    CAPTURE(word);
    CHECK(has(compile, word));
  }
  for (const char* word : {"-Wall", "-ggdb", "-O1"}) CHECK_FALSE(has(compile, word));
  CHECK(has(compile, plan.steps[0].regions.translated));
  CHECK(plan.steps[2].regions.command.empty());
}

TEST_CASE("both compilations of a file name its unit") {
  const Plan plan = plan_of({"-fregions", "-c"});
  const std::string unit = std::string("-DWARPFIBER_UNIT=") + kUnitName;
  CHECK(has(plan.steps[0].command, unit));
  CHECK(has(plan.steps[0].device_command, unit));
  CHECK(has(plan.steps[0].regions.command, unit));
  CHECK(has(plan.steps[0].regions.device_command, unit));
}

TEST_CASE("the second object is added to that of the host compiler") {
  const RegionsStep regions = plan_of({"-fregions", "-c", "-o", "b.o"}).steps[1].regions;
  CHECK(regions.fibers == "b.o");
  CHECK(regions.merge == Command{"ld", "-r", "-o", regions.merged, "b.o", regions.object});
}

TEST_CASE("without regions nothing runs regions a step") {
  Toolchain toolchain = kToolchain;
  toolchain.region_compiler.clear();
  for (const Step& step : plan_of({}, toolchain).steps) {
    CHECK(step.regions.command.empty());
    CHECK_FALSE(has(step.command, std::string("-DWARPFIBER_UNIT=") + kUnitName));
  }
}

TEST_CASE("what regions cannot do as fibers do stands against them") {
  CHECK(obstacle({"-O3", "-Xcompiler", "-fPIC,-mavx2,-ffp-contract=off"}).empty());
  for (const char* option : {"-fcheck", "-fstatements", "-G"})
    CHECK_THAT(obstacle({option}), ContainsSubstring(option));
  for (const char* option : {"-fno-rtti", "-flto=auto", "-ffast-math", "-fsingle-precision-constant",
                             "-fsanitize=address", "-march=native", "-mfma"}) {
    CHECK_THAT(obstacle({"-Xcompiler", option}), StartsWith(option));
  }
  CHECK(obstacle({"-Xcompiler", "-march=native,-ffp-contract=off"}).empty());
}

TEST_CASE("a unit has a number of its own for each text") {
  CHECK(unit_of("a") == "0xaf63dc4c8601ec8cull");  // of the authors' table
  CHECK(unit_of("a") != unit_of("b"));
  CHECK(with_unit(std::string("x = ") + kUnitName + "; y = " + kUnitName + ";", "1ull") == "x = 1ull; y = 1ull;");
  CHECK(with_unit("x", "1ull") == "x");
}

TEST_CASE("the plugin's report becomes a line for each kernel") {
  const RegionsReport report = read_regions_report(
      "made a b.cu:12 sum<int, 4>(int*, float) 3 12\n"
      "made b.cu:9 once() 1 1\n"
      "refused b.cu:7 scan(int): calls printf\n"
      "needs _ZL5table\n");
  CHECK(report.has_made);
  CHECK(report.kernels ==
        Words{"a b.cu:12: kernel sum<int, 4>(int*, float) runs as 3 regions, 12 bytes kept for each thread",
              "b.cu:9: kernel once() runs as 1 region, 1 byte kept for each thread",
              "b.cu:7: kernel scan(int) runs on fibers: calls printf"});
  CHECK(report.needs == Words{"_ZL5table"});
  CHECK_FALSE(read_regions_report("refused b.cu:7 scan(int): calls printf\n").has_made);
  CHECK_FALSE(read_regions_report("").has_made);
}

TEST_CASE("symbols that the second object needs are local to the first, or global, or missing") {
  const std::vector<ObjectSymbol> first{{"_ZL5table", true, true}, {"_ZL5count", true, true}, {"_Z6globalv", true},
                                        {"_ZL5twice", true, true}, {"_ZL5twice", true, true}, {"_Z7libraryv"},
                                        {"static_c", true, true}};
  const auto needed = [&](const Words& names, const Words& needs = {}) {
    std::vector<ObjectSymbol> second{{"_Z9run_blockv", true, true}};
    for (const std::string& name : names) second.push_back({name});
    return find_needed(needs, second, first);
  };
  CHECK(needed({"_ZL5table", "_Z6globalv", "_ZL5count"}).local == Words{"_ZL5count", "_ZL5table"});
  CHECK(needed({"static_c"}).local == Words{"static_c"});
  CHECK(needed({"_ZL5table", "_Z6globalv", "_Z7libraryv", "memcpy"}).missing.empty());
  CHECK(needed({"_Z4gonev"}).missing == "_Z4gonev");
  CHECK(needed({"_ZL5twice"}).missing == "_ZL5twice");
  CHECK(needed({"memcpy"}, {"static_gone"}).missing == "static_gone");
  CHECK(needed({}, {"_ZL5table"}).missing.empty());
}

TEST_CASE("a program that asks for its compiler is not compiled by two of them") {
  const ScratchFolder folder;
  const auto text_of = [&folder](const std::string& name, const std::string& body) {
    return "# 0 \"" + folder.path() + "/a.cu\"\n# 1 \"" + name + "\" 1\n" + body + "\n";
  };
  std::ofstream(folder.path() + "/asks.cu") << "#ifdef __clang__\nint a;\n#else\nint b;\n#endif\n";
  std::ofstream(folder.path() + "/plain.cu") << "int a = NULL;\n";
  const std::string asks = folder.path() + "/asks.cu";
  const auto difference = [&](const std::string& name, const std::string& one, const std::string& other) {
    return difference_by_compiler(text_of(name, one), text_of(name, other));
  };
  CHECK(difference(asks, "\n\nint a;", "\n\n\nint b;") == asks + " is another program for clang++ (__clang)");
  CHECK(difference(asks, "int  a;", "\nint a ;\n#pragma x").empty());
  CHECK(difference("/usr/include/asks.cu", "int a;", "int b;").empty());
  CHECK(difference(folder.path() + "/plain.cu", "int a = __null;", "int a = 0L;").empty());
}

TEST_CASE("functions of mathematics are called by both compilations") {
  const Plan plan = plan_of({"-fregions", "-c"});
  for (const Step& step : plan.steps) {
    if (step.regions.merge.empty()) continue;
    CHECK(has(step.command, "-fno-builtin-tanhf"));
    CHECK(has(step.regions.command, "-fno-builtin-tanhf"));
  }
  Toolchain without = kToolchain;
  without.region_compiler.clear();
  for (const Step& step : plan_of({"-c"}, without).steps) CHECK_FALSE(has(step.command, "-fno-builtin-tanhf"));
}

TEST_CASE("static variables in unnamed namespaces are found by either compiler's name") {
  const std::vector<ObjectSymbol> first{{"_ZN12_GLOBAL__N_1L6hiddenE", true, true},
                                        {"_ZN12_GLOBAL__N_12inL4deepE", true, true},
                                        {"_ZN12_GLOBAL__N_15plainE", true, true}};
  const std::vector<ObjectSymbol> second{{"_ZN12_GLOBAL__N_16hiddenE"}, {"_ZN12_GLOBAL__N_15plainE"}};
  const NeededSymbols needed = find_needed({"_ZN12_GLOBAL__N_12in4deepE"}, second, first);
  CHECK(needed.missing.empty());
  CHECK(needed.local == Words{"_ZN12_GLOBAL__N_12inL4deepE", "_ZN12_GLOBAL__N_15plainE", "_ZN12_GLOBAL__N_1L6hiddenE"});
  CHECK(needed.renamed ==
        std::vector<std::pair<std::string, std::string>>{{"_ZN12_GLOBAL__N_12in4deepE", "_ZN12_GLOBAL__N_12inL4deepE"},
                                                         {"_ZN12_GLOBAL__N_16hiddenE", "_ZN12_GLOBAL__N_1L6hiddenE"}});
  CHECK(find_needed({"_ZN12_GLOBAL__N_14goneE"}, {}, first).missing == "_ZN12_GLOBAL__N_14goneE");
}
