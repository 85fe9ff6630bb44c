// SPDX-License-Identifier: Apache-2.0
// What is at a path after a file was written there: devices, pipes and links stay what they are.
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>

#include "base/files.hpp"
#include "support/catch.hpp"
#include "support/child_process.hpp"

namespace {

namespace fs = std::filesystem;
using warpfiber::base::OutputFile;
using warpfiber::base::write_output;

class Folder {
 public:
  Folder() : path_((fs::temp_directory_path() / "warpfiber-output-XXXXXX").string()) {
    REQUIRE(::mkdtemp(path_.data()) != nullptr);
  }
  ~Folder() { fs::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::string file(const std::string& name) const { return path_ + "/" + name; }
  std::ptrdiff_t entries() const { return std::distance(fs::directory_iterator(path_), fs::directory_iterator()); }

 private:
  std::string path_;
};

std::string content_of(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

void put(const std::string& path, const std::string& text) {
  std::ofstream(path) << text;
}

}  // namespace

TEST_CASE("a file is replaced as a whole and keeps its mode") {
  const Folder folder;
  put(folder.file("report"), "old");
  REQUIRE(::chmod(folder.file("report").c_str(), 0640) == 0);
  OutputFile file(folder.file("report"));
  file.stream() << "new";
  file.stream().flush();
  CHECK(content_of(folder.file("report")) == "old");
  CHECK(file.commit().empty());
  CHECK(content_of(folder.file("report")) == "new");
  CHECK((fs::status(folder.file("report")).permissions() & fs::perms::all) == static_cast<fs::perms>(0640));
  CHECK(folder.entries() == 1);
}

TEST_CASE("a new file has the mode that the process gives new files") {
  const Folder folder;
  const mode_t mask = ::umask(027);
  CHECK(write_output(folder.file("report"), "text").empty());
  ::umask(mask);
  CHECK((fs::status(folder.file("report")).permissions() & fs::perms::all) == static_cast<fs::perms>(0640));
}

TEST_CASE("a file that is not committed leaves nothing") {
  const Folder folder;
  { OutputFile(folder.file("report")).stream() << "text"; }
  CHECK(folder.entries() == 0);
}

TEST_CASE("a link stays and what it leads to is replaced") {
  const Folder folder;
  put(folder.file("target"), "old");
  fs::create_symlink("target", folder.file("link"));
  CHECK(write_output(folder.file("link"), "new").empty());
  CHECK(fs::is_symlink(folder.file("link")));
  CHECK(content_of(folder.file("target")) == "new");
}

TEST_CASE("a link to nothing makes the file that it leads to") {
  const Folder folder;
  fs::create_symlink("target", folder.file("link"));
  CHECK(write_output(folder.file("link"), "new").empty());
  CHECK(fs::is_symlink(folder.file("link")));
  CHECK(content_of(folder.file("target")) == "new");
}

TEST_CASE("a pipe is written in place") {
  const Folder folder;
  const std::string pipe = folder.file("pipe");
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  std::string read;
  std::thread reader([&] { read = content_of(pipe); });
  CHECK(write_output(pipe, "text").empty());
  reader.join();
  CHECK(read == "text");
  CHECK(fs::is_fifo(pipe));
}

TEST_CASE("a device is written in place") {
  const Folder folder;
  fs::create_symlink("/dev/null", folder.file("link"));
  CHECK(write_output(folder.file("link"), "text").empty());
  CHECK(fs::is_symlink(folder.file("link")));
  CHECK(write_output("/dev/null", "text").empty());
  CHECK(fs::is_character_file("/dev/null"));
}

TEST_CASE("files of somebody else beside it are not touched") {
  const Folder folder;
  put(folder.file("victim"), "whole");
  fs::create_symlink("victim", folder.file("report.new"));
  CHECK(write_output(folder.file("report"), "text").empty());
  CHECK(content_of(folder.file("victim")) == "whole");
}

TEST_CASE("a full disk leaves the old file and is said") {
  CHECK(write_output("/dev/full", "text") == "No space left on device");
  const Folder folder;
  put(folder.file("report"), "old");
  // A limit on the size of files acts as a full disk does.
  const auto end = warpfiber::test::in_child([&folder] {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{1000, 1000};
    if (::setrlimit(RLIMIT_FSIZE, &limit) != 0) return 2;
    return write_output(folder.file("report"), std::string(5000, 'x')) == "File too large" ? 0 : 1;
  });
  CHECK(end.exit_code == 0);
  CHECK(content_of(folder.file("report")) == "old");
  CHECK(folder.entries() == 1);
}

TEST_CASE("a path without a folder is said") {
  CHECK(write_output("/nowhere/report", "text") == "No such file or directory");
}

// Files that are read as a whole, and those that are not: endless, too large, not there.

using warpfiber::base::read_input;

TEST_CASE("a device without an end is refused at the limit") {
  const std::string limit = "File too large";
  CHECK(read_input("/dev/zero", 2).error() == limit);
}

TEST_CASE("an empty device is an empty text") {
  CHECK(read_input("/dev/null", 1).value().empty());
}

TEST_CASE("what cannot be read is said in the system's words") {
  const std::string missing = "No such file or directory";
  const std::string folder = "Is a directory";
  CHECK(read_input("/nowhere/file", 1).error() == missing);
  CHECK(read_input("/", 1).error() == folder);
}
