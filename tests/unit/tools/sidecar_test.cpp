// SPDX-License-Identifier: Apache-2.0
//
// What becomes of the second compilation of -fregions: its object is added to the host compiler's, or is left out.
// Small C++ files take the place of CUDA's, and g++ that of clang++ and its plugin.
#include "tools/nvcc/sidecar.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <vector>

#include "support/catch.hpp"
#include "tools/nvcc/messages.hpp"
#include "tools/nvcc/processes/processes.hpp"
#include "tools/nvcc/processes/scratch.hpp"
#include "tools/nvcc/regions/object_symbols.hpp"
#include "tools/nvcc/regions/unit.hpp"

using Catch::Matchers::ContainsSubstring;
using namespace warpfiber::tools::nvcc;

namespace {

/// The host compiler's object, in which `counter` is local, and a second one that sets it when the program starts.
class TwoObjects {
 public:
  explicit TwoObjects(const std::string& report) {
    std::ofstream(file("a.cpp")) << "static volatile int counter = 1;\nint main() { return counter; }\n";
    std::ofstream(file("b.cpp")) << "extern volatile int counter __asm__(\"_ZL7counter\");\n"
                                    "[[gnu::constructor]] static void set() { counter = 42; }\n";
    REQUIRE(run({"g++", "-c", file("a.cpp"), "-o", file("a.o")}) == 0);
    step_.messages = file("messages");
    step_.regions.command = {"g++", "-c", file("b.cpp"), "-o", file("b.o")};
    step_.regions.input = "a.cu";
    step_.regions.said = file("said");
    step_.regions.translated = file("b.ii");
    step_.regions.object = file("b.o");
    step_.regions.report = file("report");
    step_.regions.fibers = file("a.o");
    step_.regions.merged = file("merged.o");
    step_.regions.merge = {"ld", "-r", "-o", file("merged.o"), file("a.o"), file("b.o")};
    std::ofstream(file("report")) << report;
  }

  std::string file(const std::string& name) const { return scratch_.path() + "/" + name; }
  Step& step() { return step_; }

  /// What the program returns when both have been compiled.
  int result() {
    const NvccOptions options;
    Sidecar sidecar(options, PrecompiledHeaders({}));
    sidecar.start(step_);
    sidecar.finish(step_, {});
    REQUIRE(run({"g++", file("a.o"), "-o", file("program")}) == 0);
    return run({file("program")});
  }

  std::string symbols() const {
    std::string listing;
    run({"nm", file("a.o")}, {.silent = true, .output = &listing});
    return listing;
  }

 private:
  ScratchFolder scratch_;
  Step step_;
};

constexpr const char* kMade = "made a.cu:1 k() 2 8\n";

}  // namespace

TEST_CASE("what the second object needs of the first is found there, and stays local") {
  TwoObjects objects("made a.cu:1 k() 2 8\nneeds _ZL7counter\n");
  CHECK(objects.result() == 42);
  CHECK_THAT(objects.symbols(), ContainsSubstring("d _ZL7counter"));
}

TEST_CASE("an object of any size has all of its symbols, and what is no object has none") {
  const ScratchFolder scratch;
  const std::string stem = scratch.path() + "/many";
  {
    std::ofstream source(stem + ".cpp");
    for (int i = 0; i < 5000; ++i) source << "int variable_with_a_long_name_" << i << ";\n";
    source << "extern int other; static int mine; template <class T> int of_all = 0;\n"
              "int* uses() { mine = other; return &of_all<int>; }\n";
  }
  REQUIRE(run({"g++", "-c", "-O0", stem + ".cpp", "-o", stem + ".o"}) == 0);
  const std::vector<ObjectSymbol> symbols = read_symbols(stem + ".o");
  const auto find = [&](const std::string& name) {
    const auto found = std::ranges::find(symbols, name, &ObjectSymbol::name);
    REQUIRE(found != symbols.end());
    return *found;
  };
  CHECK(find("variable_with_a_long_name_4999").is_defined);
  CHECK_FALSE(find("other").is_defined);
  CHECK(find("_ZL4mine").is_local);
  CHECK_FALSE(find("_Z6of_allIiE").is_local);
  CHECK(read_symbols(stem + ".cpp").empty());
  CHECK(read_symbols(stem + ".missing").empty());
}

TEST_CASE("a second object without regions, or one that cannot be joined, is left out") {
  const std::string report = GENERATE(std::string(), std::string("refused a.cu:1 k(): printf\n"),
                                      std::string("made a.cu:1 k() 2 8\nneeds _ZL5other\n"));
  CAPTURE(report);
  TwoObjects objects(report);
  CHECK(objects.result() == 1);
}

TEST_CASE("a second compilation that fails leaves the program as it is") {
  TwoObjects objects(kMade);
  SECTION("in clang++") {
    objects.step().regions.command.emplace_back("--no-such-option");
  }
  SECTION("before it starts") {
    objects.step().regions.command = {"/no/such/compiler"};
  }
  SECTION("in the linker") {
    objects.step().regions.merge.emplace_back("/no/such/object.o");
  }
  CHECK(objects.result() == 1);
}

TEST_CASE("the second text is translated with the unit of the first, and compiled only if that has succeeded") {
  const ScratchFolder scratch;
  const std::string text = scratch.path() + "/a.cu";
  std::ofstream(text) << "# 1 \"a.cu\"\nunsigned long long unit = " << kUnitName << ";\n";
  Step translation;
  translation.translated = scratch.path() + "/a.ii";
  translation.regions.input = "a.cu";
  translation.regions.said = scratch.path() + "/said";
  translation.regions.host = scratch.path() + "/b.ii";
  translation.regions.translated = scratch.path() + "/b.cu.ii";
  translation.regions.command = {"cp", text, translation.regions.host};
  Step compilation;
  compilation.messages = scratch.path() + "/messages";
  compilation.regions.said = translation.regions.said;
  compilation.regions.translated = translation.regions.translated;
  compilation.regions.command = {"cp", text, scratch.path() + "/compiled"};
  const bool succeeds = GENERATE(true, false);
  if (!succeeds) translation.regions.command.emplace_back("/no/such/folder/b.ii");
  const NvccOptions options;
  Translated source;
  source.unit = "0x2aull";
  source.kernels = {{"k", "a.cu", 1, 1}};
  Sidecar sidecar(options, PrecompiledHeaders({}));
  for (const Step& step : {translation, compilation}) {
    sidecar.start(step);
    sidecar.finish(step, source);
  }
  const std::string translated = content_of(translation.regions.translated);
  CHECK((translated.find("warpfiber_unit_of_file = 0x2aull;") != std::string::npos) == succeeds);
  CHECK(std::filesystem::exists(scratch.path() + "/compiled") == succeeds);
}

TEST_CASE("behind a precompiled header that is damaged, the whole text is compiled") {
  const ScratchFolder scratch;
  const auto file = [&](const char* name) { return scratch.path() + "/" + name; };
  // In place of clang++: what it is given, for a file that is compiled whole; a failure behind a precompiled header.
  std::ofstream(file("clang++")) << "#!/bin/sh\ncase \"$*\" in *-emit-pch*) "
                                    "while [ $1 != -o ]; do shift; done; echo pch > $2;; *-include-pch*) exit 1;; "
                                    "*) cp $1 $2;; esac\n";
  std::filesystem::permissions(file("clang++"), std::filesystem::perms::owner_all);
  std::ofstream(file("a.cu")) << "# 1 \"a.cu\"\n# 1 \"/r.h\" 1\nint header;\n# 2 \"<built-in>\" 2\nint program;\n";
  Step translation;
  translation.translated = file("a.ii");
  translation.regions.said = file("said");
  translation.regions.host = file("b.ii");
  translation.regions.translated = file("b.cu.ii");
  translation.regions.command = {"cp", file("a.cu"), file("b.ii")};
  Step compilation;
  compilation.messages = file("messages");
  compilation.regions.said = file("said");
  compilation.regions.translated = file("b.cu.ii");
  compilation.regions.object = file("b.o");
  compilation.regions.command = {file("clang++"), file("b.cu.ii"), file("b.o")};
  const NvccOptions options;
  Translated source;
  source.unit = "1ull";
  source.kernels = {{"k", "a.cu", 1, 1}};
  Sidecar sidecar(options, PrecompiledHeaders(file("cache")));
  for (const Step& step : {translation, compilation}) {
    sidecar.start(step);
    if (!step.translates()) CHECK_THAT(content_of(file("b.cu.ii")), !ContainsSubstring("int header;"));
    sidecar.finish(step, source);
  }
  CHECK_THAT(content_of(file("b.o")), ContainsSubstring("int header;") && ContainsSubstring("int program;"));
  for (const auto& entry : std::filesystem::directory_iterator(file("cache"))) {
    CHECK(entry.path().extension() != ".pch");
  }
}

TEST_CASE("a process that nobody waits for ends with what stands for it") {
  const ScratchFolder scratch;
  const std::string pipe = scratch.path() + "/pipe";
  REQUIRE(run({"mkfifo", pipe}) == 0);
  {
    std::ofstream opened;
    const ConcurrentProcess reading({"cat", pipe}, {});
    opened.open(pipe);  // waits until the other end is open; the process would read until this one is closed
  }
  ConcurrentProcess failing({"sh", "-c", "exit 7"}, {});
  CHECK(run({"sh", "-c", "exit 3"}) == 3);
  CHECK(failing.wait() == 7);
}
