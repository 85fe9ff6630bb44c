// SPDX-License-Identifier: Apache-2.0
//
// The header that CUDA files share is compiled once: where a text is cut, and what is kept in the folder. A script
// takes the place of the compiler, and counts its calls.
#include "tools/nvcc/precompiled/headers.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "support/catch.hpp"
#include "tools/nvcc/precompiled/cutting.hpp"
#include "tools/nvcc/processes/processes.hpp"
#include "tools/nvcc/processes/scratch.hpp"
#include "tools/nvcc/regions/unit.hpp"

using namespace warpfiber::tools::nvcc;
using Catch::Matchers::ContainsSubstring;
namespace fs = std::filesystem;

namespace {

constexpr const char* kText =
    "# 1 \"a.cu\"\n# 1 \"<built-in>\" 1\n# 1 \"<command line>\" 1\n# 1 \"<built-in>\" 2\n"
    "# 1 \"/cuda/runtime.h\" 1\nint runtime;\n# 1 \"/usr/include/math.h\" 1 3\nint math;\n# 2 \"/cuda/runtime.h\" 2\n"
    "# 2 \"<built-in>\" 2\n# 1 \"a.cu\" 2\nint program;\n";

/// A folder, and a compiler that writes what g++'s begin with where it is told to, or fails.
class Cache {
 public:
  explicit Cache(const std::string& ending = "") {
    std::ofstream(compiler()) << "#!/bin/sh\necho called $* >> " << calls() << "\n"
                              << (ending.empty() ? "for last; do [ \"$before\" = -o ] && echo gpch > \"$last\"; "
                                                   "before=$last; done"
                                                 : ending)
                              << "\n";
    fs::permissions(compiler(), fs::perms::owner_all);
  }

  void change_compiler() const { std::ofstream(compiler(), std::ios::app) << "# of another version\n"; }

  std::string folder() const { return scratch_.path() + "/cache"; }

  std::string find_or_make(const std::string& header, HeaderCompilation compilation) const {
    compilation.input = "in.ii";
    compilation.output = "out.o";
    return PrecompiledHeaders(folder()).find_or_make(header, compilation);
  }

  /// By clang++, at once.
  std::string find_or_make(const std::string& header, const std::string& option = "-O3") const {
    return find_or_make(
        header, {.command = {compiler(), option, "in.ii", "-o", "out.o"}, .by_clang = true, .is_made_at_once = true});
  }

  /// By g++, when it is asked for a second time.
  std::string find_or_make_later(const std::string& header, const std::string& goal = "-c") const {
    return find_or_make(header, {.command = {compiler(), "-O2", goal, "-x", "c++-cpp-output", "in.ii", "-o", "out.o"}});
  }

  /// The words that the compiler was called with, each time.
  std::string said() const { return content_of(calls()); }

  std::size_t call_count() const {
    const std::string said = content_of(calls());
    return static_cast<std::size_t>(std::ranges::count(said, '\n'));
  }

  std::size_t file_count() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder()), fs::directory_iterator()));
  }

 private:
  std::string compiler() const { return scratch_.path() + "/compiler"; }
  std::string calls() const { return scratch_.path() + "/calls"; }

  ScratchFolder scratch_;
};

/// A variable of the environment for as long as this lives.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) {
    const char* before = std::getenv(name);
    is_set_ = before != nullptr;
    if (is_set_) before_ = before;
    ::setenv(name, value, 1);
  }
  ~Variable() { is_set_ ? ::setenv(name_, before_.c_str(), 1) : ::unsetenv(name_); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* name_;
  std::string before_;
  bool is_set_;
};

}  // namespace

TEST_CASE("a text is cut behind the first header of the command line") {
  const CutText cut = cut_behind_header(kText, "5ull");
  CHECK(
      cut.header ==
      "namespace { extern const unsigned long long warpfiber_unit_of_file; }\n# 1 \"/cuda/runtime.h\" 1\nint runtime;\n"
      "# 1 \"/usr/include/math.h\" 1 3\nint math;\n# 2 \"/cuda/runtime.h\" 2\n");
  CHECK(cut.rest ==
        "namespace { const unsigned long long warpfiber_unit_of_file = 5ull; }\n# 1 \"a.cu\"\n# 1 \"<built-in>\" 1\n"
        "# 1 \"<command line>\" 1\n# 1 \"<built-in>\" 2\n# 2 \"<built-in>\"\n# 1 \"a.cu\" 2\nint program;\n");
}

TEST_CASE("a text without such a header is left whole") {
  const CutText cut = cut_behind_header("# 1 \"a.cu\"\n# 1 \"b.h\" 1\nint b;", "5ull");
  CHECK(cut.header == "namespace { extern const unsigned long long warpfiber_unit_of_file; }\n");
  CHECK(cut.rest ==
        "namespace { const unsigned long long warpfiber_unit_of_file = 5ull; }\n# 1 \"a.cu\"\n# 1 \"b.h\" 1\nint b;");
  CHECK(cut_behind_header("", "5ull").header == cut.header);
}

TEST_CASE("the text around cuda_runtime.h is cut for both compilers, whatever is included before it") {
  const std::string before =
      GENERATE(std::string(), std::string("# 1 \"mine.h\" 1\nint mine;\n# 0 \"<command-line>\" 2\n"));
  const std::string first = "# 0 \"a.cu\"\n";
  const std::string header =
      "# 0 \"<built-in>\"\n# 0 \"<command-line>\"\n# 1 \"/usr/stdc-predef.h\" 1 3 4\n"
      "# 0 \"<command-line>\" 2\n" +
      before +
      "# 1 \"/x/cuda_runtime.h\" 1\n# 1 \"/x/y.h\" 1\nint y;\n# 2 \"/x/cuda_runtime.h\" 2\n"
      "int runtime;\n# 0 \"<command-line>\" 2\n";
  const std::string rest = "# 1 \"/x/unit.h\" 1\nint unit;\n# 0 \"<command-line>\" 2\n# 1 \"a.cu\"\nint program;\n";
  const CutRuntime cut = cut_behind_runtime(first + header + rest);
  CHECK(cut.first_line == first);
  CHECK(cut.header == header);
  CHECK(cut.including == "# 0 \"<command-line>\" 2\n");
  CHECK(cut.rest == rest);
}

TEST_CASE("a text in which the command line does not include cuda_runtime.h has no header") {
  const std::string text = GENERATE(
      std::string(), std::string("\n"), std::string("int a;"), std::string("# 0 \"a.cu\""),
      std::string("# 0 \"a.cu\"\n# 1 \"/x/cuda_runtime.h\" 1\nint a;\n# 1 \"a.cu\" 2\nint b;\n"),
      std::string("# 0 \"a.cu\"\n# 1 \"/x/cuda_runtime.h\" 1\nint a;\n"),
      std::string("int a;\n# 0 \"<command-line>\"\n# 1 \"/x/cuda_runtime.h\" 1\n# 0 \"<command-line>\" 2\nint b;\n"));
  CAPTURE(text);
  CHECK(cut_behind_runtime(text).header.empty());
}

TEST_CASE("a header is compiled once for each text, compiler and options") {
  const Cache cache;
  const std::string made = cache.find_or_make("int a;\n");
  CHECK(content_of(made) == "gpch\n");
  CHECK(cache.find_or_make("int a;\n") == made);
  CHECK(cache.call_count() == 1);
  CHECK(cache.find_or_make("int b;\n") != made);
  CHECK(cache.find_or_make("int a;\n", "-O2") != made);
  CHECK(cache.call_count() == 3);
  CHECK(cache.file_count() == 6);
}

TEST_CASE("a file that is not the header's own is replaced") {
  const Cache cache;
  const std::string made = cache.find_or_make("int a;\n");
  std::ofstream(fs::path(made).replace_extension(".ii")) << "int other;\n";
  CHECK(cache.find_or_make("int a;\n") == made);
  CHECK(cache.call_count() == 2);
}

TEST_CASE("a header that cannot be compiled, or of which the compiler has something to say, is tried once a day") {
  const std::string ending = GENERATE("exit 1", "while [ $1 != -o ]; do shift; done; echo warning >&2; echo pch > $2",
                                      "while [ $1 != -o ]; do shift; done; : > $2");
  CAPTURE(ending);
  const Cache cache(ending);
  for (int i = 0; i < 3; ++i) CHECK(cache.find_or_make("int a;\n").empty());
  CHECK(cache.call_count() == 1);
  CHECK(cache.file_count() == 2);
  for (const auto& entry : fs::directory_iterator(cache.folder())) {
    fs::last_write_time(entry, fs::file_time_type::clock::now() - std::chrono::hours(25));
  }
  for (int i = 0; i < 3; ++i) CHECK(cache.find_or_make("int a;\n").empty());
  CHECK(cache.call_count() == 2);
}

TEST_CASE("a compiler that was killed is asked again") {
  const Cache cache("kill -9 $$");
  for (int i = 0; i < 2; ++i) CHECK(cache.find_or_make("int a;\n").empty());
  CHECK(cache.call_count() == 2);
  CHECK(cache.file_count() == 1);
}

TEST_CASE("g++ makes a header when it is wanted for a second time, for every command that reads text alike") {
  const Cache cache;
  CHECK(cache.find_or_make_later("int a;\n").empty());
  CHECK(cache.call_count() == 0);
  const std::string made = cache.find_or_make_later("int a;\n");
  CHECK(content_of(made) == "gpch\n");
  CHECK_THAT(cache.said(), ContainsSubstring("-O2 -fpreprocessed -x c++-header " + cache.folder()));
  CHECK(cache.find_or_make_later("int a;\n") == made);
  CHECK(cache.find_or_make_later("int a;\n", "-fsyntax-only") == made);
  CHECK(cache.call_count() == 1);
}

TEST_CASE("what is no precompiled header of g++'s is none") {
  const Cache cache("while [ $1 != -o ]; do shift; done; echo CPCH > $2");
  for (int i = 0; i < 3; ++i) CHECK(cache.find_or_make_later("int a;\n").empty());
  CHECK(cache.call_count() == 1);
}

TEST_CASE("a header that another process is making is not waited for") {
  const Cache cache;
  CHECK(cache.find_or_make_later("int a;\n").empty());
  const std::string text = fs::directory_iterator(cache.folder())->path().string();
  const int other = ::open(text.c_str(), O_RDONLY | O_CLOEXEC);
  REQUIRE(::flock(other, LOCK_EX) == 0);
  CHECK(cache.find_or_make_later("int a;\n").empty());
  CHECK(cache.call_count() == 0);
  ::close(other);
  CHECK_FALSE(cache.find_or_make_later("int a;\n").empty());
}

TEST_CASE("a compiler that has changed makes its headers anew") {
  const Cache cache;
  const std::string made = cache.find_or_make("int a;\n");
  cache.change_compiler();
  CHECK(cache.find_or_make("int a;\n") != made);
  CHECK(cache.call_count() == 2);
}

TEST_CASE("caches of compilers are not taken for compilers") {
  const ScratchFolder scratch;
  const std::string compiler = scratch.path() + "/g++";
  std::ofstream(scratch.path() + "/ccache") << "#!/bin/sh\n";
  fs::permissions(scratch.path() + "/ccache", fs::perms::owner_all);
  fs::create_symlink("ccache", compiler);
  const PrecompiledHeaders headers(scratch.path() + "/cache");
  CHECK(headers.find_or_make("int a;\n", {.command = {compiler}, .input = "", .output = ""}).empty());
  CHECK_FALSE(fs::exists(scratch.path() + "/cache"));
}

TEST_CASE("the folder is WARPFIBER_CACHE's, else the build's, else the user's") {
  const ScratchFolder scratch;
  const std::string of_build = scratch.path() + "/cache";
  const Variable cache("WARPFIBER_CACHE", "");
  const Variable caches("XDG_CACHE_HOME", "/caches");
  const Variable home("HOME", scratch.path().c_str());
  CHECK(cache_folder(of_build) == of_build);
  CHECK(cache_folder("") == "/caches/warpfiber");
  // In a folder that is not the user's none is made.
  CHECK(cache_folder("/no/such/build/cache") == "/caches/warpfiber");
  {
    const Variable none("XDG_CACHE_HOME", "relative");
    CHECK(cache_folder("") == scratch.path() + "/.cache/warpfiber");
    const Variable elsewhere("HOME", "/no/such/home");
    CHECK(cache_folder("").empty());
    const Variable nowhere("HOME", "");
    CHECK(cache_folder("").empty());
  }
  const Variable own("WARPFIBER_CACHE", "/own");
  CHECK(cache_folder(of_build) == "/own");
  const Variable off("WARPFIBER_CACHE", "off");
  CHECK(cache_folder(of_build).empty());
}

TEST_CASE("a folder that cannot be made leaves the header whole") {
  const Cache cache;
  std::ofstream(cache.folder()) << "a file where the folder would be\n";
  CHECK(cache.find_or_make("int a;\n").empty());
  CHECK(PrecompiledHeaders("").find_or_make("int a;\n", {.command = {"g++"}, .input = "", .output = ""}).empty());
}

TEST_CASE("a folder that others can write to is not used") {
  const Cache cache;
  fs::create_directory(cache.folder());
  fs::permissions(cache.folder(), fs::perms::all);
  CHECK(cache.find_or_make("int a;\n").empty());
  CHECK(cache.call_count() == 0);
  CHECK(cache.file_count() == 0);
}

TEST_CASE("the folder is made for its owner alone") {
  const Cache cache;
  CHECK_FALSE(cache.find_or_make("int a;\n").empty());
  CHECK((fs::status(cache.folder()).permissions() & fs::perms::all) == fs::perms::owner_all);
}

TEST_CASE("a header that others can write to is made anew") {
  const Cache cache;
  const std::string made = cache.find_or_make("int a;\n");
  fs::permissions(made, fs::perms::others_write, fs::perm_options::add);
  CHECK(cache.find_or_make("int a;\n") == made);
  CHECK(cache.call_count() == 2);
  CHECK((fs::status(made).permissions() & fs::perms::others_write) == fs::perms::none);
}

TEST_CASE("what killed compilers have left is removed when a header is made a day later") {
  const Cache cache;
  cache.find_or_make("int a;\n");
  const auto leave = [&](const std::string& name, int hours) {
    const std::string file = cache.folder() + "/" + name;
    std::ofstream(file) << "half";
    fs::last_write_time(file, fs::file_time_type::clock::now() - std::chrono::hours(hours));
    return file;
  };
  const std::string old = leave("cuda_runtime-0.12.pch", 25);
  const std::string old_of_clang = leave("cuda_runtime-0.12.pch.tmp", 25);
  const std::string recent = leave("cuda_runtime-0.13.pch.tmp", 1);
  cache.find_or_make("int b;\n");
  CHECK_FALSE(fs::exists(old));
  CHECK_FALSE(fs::exists(old_of_clang));
  CHECK(fs::exists(recent));
}

TEST_CASE("the headers that were used last are kept") {
  const Cache cache;
  const std::string first = cache.find_or_make("int first;\n");
  const auto age = [&](const std::string& file, int hours) {
    for (const char* ending : {".pch", ".ii"}) {
      fs::last_write_time(fs::path(file).replace_extension(ending),
                          fs::file_time_type::clock::now() - std::chrono::hours(hours));
    }
  };
  const std::string second = cache.find_or_make("int second;\n");
  const std::string other = cache.folder() + "/notes.ii";  // may be the user's
  std::ofstream(other) << "notes\n";
  fs::last_write_time(other, fs::file_time_type::clock::now() - std::chrono::hours(9));
  age(first, 3);
  age(second, 2);
  cache.find_or_make("int first;\n");
  for (std::size_t i = 1; i < PrecompiledHeaders::kMost; ++i) cache.find_or_make(std::to_string(i));
  CHECK(fs::exists(first));
  CHECK_FALSE(fs::exists(second));
  CHECK(fs::exists(other));
  CHECK(cache.file_count() == 2 * PrecompiledHeaders::kMost + 1);
}
