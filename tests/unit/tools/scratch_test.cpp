// SPDX-License-Identifier: Apache-2.0
// Folders for temporary files: what killed commands have left goes, what others use stays, and why there is none.
#include "tools/nvcc/processes/scratch.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "support/catch.hpp"
#include "support/child_process.hpp"

using namespace warpfiber::tools::nvcc;
namespace fs = std::filesystem;

namespace {

/// Temporary files go here for as long as it lives.
class TemporaryFiles {
 public:
  TemporaryFiles() { ::setenv("TMPDIR", inside_.path().c_str(), 1); }
  ~TemporaryFiles() {
    if (before_.empty()) {
      ::unsetenv("TMPDIR");
    } else {
      ::setenv("TMPDIR", before_.c_str(), 1);
    }
  }
  TemporaryFiles(const TemporaryFiles&) = delete;
  TemporaryFiles& operator=(const TemporaryFiles&) = delete;

  const std::string& path() const { return inside_.path(); }

  std::string leave(const std::string& name, int hours) const {
    const std::string folder = path() + "/" + name;
    fs::create_directories(folder + "/within");
    const timespec then{::time(nullptr) - 3600L * hours, 0};
    const std::array<timespec, 2> times{then, then};
    REQUIRE(::utimensat(AT_FDCWD, folder.c_str(), times.data(), 0) == 0);
    return folder;
  }

 private:
  static std::string tmpdir() {
    const char* text = std::getenv("TMPDIR");
    return text != nullptr ? text : "";
  }

  const std::string before_ = tmpdir();
  ScratchFolder inside_;
};

}  // namespace

TEST_CASE("folders that killed commands have left are removed a day later") {
  const TemporaryFiles files;
  const std::string old = files.leave("warpfiber-abcdef", 25);
  const std::string recent = files.leave("warpfiber-ghijkl", 23);
  const std::string other = files.leave("warpfiber-of-mine", 25);
  const ScratchFolder scratch;
  CHECK_FALSE(fs::exists(old));
  CHECK(fs::exists(recent));
  CHECK(fs::exists(other));
}

TEST_CASE("a folder in use stays however old it is") {
  const TemporaryFiles files;
  const std::string used = files.leave("warpfiber-abcdef", 25);
  const int folder = ::open(used.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  REQUIRE(::flock(folder, LOCK_SH) == 0);
  { const ScratchFolder scratch; }
  CHECK(fs::exists(used));
  ::close(folder);
  { const ScratchFolder scratch; }
  CHECK_FALSE(fs::exists(used));
}

TEST_CASE("a folder that cannot be made is named, with the reason") {
  const auto end = warpfiber::test::in_child([] {
    ::setenv("TMPDIR", "/nowhere", 1);
    const ScratchFolder scratch;
    const bool says =
        scratch.error() ==
        "no temporary files can be made in /nowhere: No such file or directory; set TMPDIR to another folder";
    return scratch.path().empty() && says ? 0 : 1;
  });
  CHECK(end.exit_code == 0);
}

TEST_CASE("a folder without room is named, with the reason") {
  const TemporaryFiles files;
  const ScratchFolder scratch;
  CHECK(shortage_in(scratch.path()).empty());
  // A limit on the size of files acts as a full disk does.
  const auto end = warpfiber::test::in_child([&] {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{1000, 1000};
    if (::setrlimit(RLIMIT_FSIZE, &limit) != 0) return 2;
    const std::string expected =
        "no temporary files can be made in " + files.path() + ": File too large; set TMPDIR to another folder";
    return shortage_in(scratch.path()) == expected ? 0 : 1;
  });
  CHECK(end.exit_code == 0);
  CHECK(fs::is_empty(scratch.path()));
}
