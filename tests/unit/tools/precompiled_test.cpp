// SPDX-License-Identifier: Apache-2.0
//
// The header that CUDA files share is compiled once: where a text is cut, and what is kept in the folder. A script
// takes the place of clang++, and counts its calls.
#include "tools/nvcc/regions/precompiled.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>

#include "support/catch.hpp"
#include "tools/nvcc/processes/processes.hpp"
#include "tools/nvcc/processes/scratch.hpp"
#include "tools/nvcc/regions/unit.hpp"

using namespace warpfiber::tools::nvcc;
namespace fs = std::filesystem;

namespace {

constexpr const char* kText =
    "# 1 \"a.cu\"\n# 1 \"<built-in>\" 1\n# 1 \"<command line>\" 1\n# 1 \"<built-in>\" 2\n"
    "# 1 \"/cuda/runtime.h\" 1\nint runtime;\n# 1 \"/usr/include/math.h\" 1 3\nint math;\n# 2 \"/cuda/runtime.h\" 2\n"
    "# 2 \"<built-in>\" 2\n# 1 \"a.cu\" 2\nint program;\n";

/// A folder, and a compiler that writes "compiled" where it is told to, or fails.
class Cache {
 public:
  explicit Cache(const std::string& ending = "") {
    std::ofstream(compiler()) << "#!/bin/sh\necho called >> " << calls() << "\n"
                              << (ending.empty() ? "for last; do [ \"$before\" = -o ] && echo compiled > \"$last\"; "
                                                   "before=$last; done"
                                                 : ending)
                              << "\n";
    fs::permissions(compiler(), fs::perms::owner_all);
  }

  std::string folder() const { return scratch_.path() + "/cache"; }

  std::string find_or_make(const std::string& header, const std::string& option = "-O3") const {
    return PrecompiledHeaders(folder()).find_or_make(header, {compiler(), option, "in.ii", "-o", "out.o"}, "in.ii",
                                                     "out.o");
  }

  std::size_t call_count() const {
    const std::string said = content_of(calls());
    return static_cast<std::size_t>(std::ranges::count(said, '\n'));
  }

  std::size_t file_count() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder()), fs::directory_iterator()));
  }

 private:
  std::string compiler() const { return scratch_.path() + "/clang++"; }
  std::string calls() const { return scratch_.path() + "/calls"; }

  ScratchFolder scratch_;
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

TEST_CASE("a header is compiled once for each text, compiler and options") {
  const Cache cache;
  const std::string made = cache.find_or_make("int a;\n");
  CHECK(content_of(made) == "compiled\n");
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

TEST_CASE("a header that cannot be compiled, or kept, leaves nothing behind") {
  const Cache failing("exit 1");
  CHECK(failing.find_or_make("int a;\n").empty());
  CHECK(failing.file_count() == 0);
  const Cache cache;
  std::ofstream(cache.folder()) << "a file where the folder would be\n";
  CHECK(cache.find_or_make("int a;\n").empty());
  CHECK(PrecompiledHeaders("").find_or_make("int a;\n", {"clang++"}, "", "").empty());
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
