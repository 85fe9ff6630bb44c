// SPDX-License-Identifier: Apache-2.0
//
// A folder is in use as long as the process that made it has it locked.
#include "tools/nvcc/processes/scratch.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <string_view>
#include <vector>

#include "tools/nvcc/processes/ending.hpp"

namespace warpfiber::tools::nvcc {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kName = "warpfiber-";
constexpr std::string_view kPattern = "XXXXXX";
constexpr std::uintmax_t kLittle = std::uintmax_t{16} << 20U;  // less than a checked program and its text take

/// An empty variable is as good as none.
std::string folder_of_temporary_files() {
  for (const char* name : {"TMPDIR", "TMP", "TEMP", "TEMPDIR"}) {
    const char* const folder = std::getenv(name);
    if (folder != nullptr && *folder != '\0') return folder;
  }
  return "/tmp";
}

/// A folder of this user's that nobody has used for a day; with others it may be about to be locked.
bool is_left_over(int folder) {
  constexpr std::time_t kOneDay = 24 * 60 * 60;
  struct stat known {};
  if (::fstat(folder, &known) != 0 || known.st_uid != ::geteuid()) return false;
  return std::time(nullptr) - known.st_mtime > kOneDay && ::flock(folder, LOCK_EX | LOCK_NB) == 0;
}

void remove_left_over(const std::string& parent) {
  std::error_code ignored;  // what cannot be read or removed stays; there is nobody to report it to
  std::vector<fs::path> found;
  for (const fs::directory_entry& entry : fs::directory_iterator(parent, ignored)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with(kName) && name.size() == kName.size() + kPattern.size()) found.push_back(entry.path());
  }
  for (const fs::path& path : found) {
    const int folder = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder < 0) continue;
    if (is_left_over(folder)) fs::remove_all(path, ignored);
    ::close(folder);
  }
}

std::string why(const std::string& folder, int error) {
  return "no temporary files can be made in " + folder + ": " + std::strerror(error) + "; set TMPDIR to another folder";
}

}  // namespace

ScratchFolder::ScratchFolder() {
  const std::string parent = folder_of_temporary_files();
  remove_left_over(parent);
  std::string pattern = parent + "/" + std::string(kName) + std::string(kPattern);
  if (!make_scratch(pattern)) {
    error_ = why(parent, errno);
    return;
  }
  path_ = pattern;
  lock_ = ::open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  // On a file system without locks the age decides alone.
  if (lock_ >= 0) ::flock(lock_, LOCK_SH | LOCK_NB);
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;  // what cannot be removed stays; there is nobody to report it to
  if (path_.empty()) return;
  fs::remove_all(path_, ignored);
  drop_scratch(path_);
  if (lock_ >= 0) ::close(lock_);
}

std::string shortage_in(const std::string& folder) {
  // A compiler's messages and a small program need more.
  const std::string room(std::size_t{1} << 18, ' ');
  const std::string path = folder + "/room";
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  int error = file < 0 ? errno : 0;
  for (std::size_t written = 0; error == 0 && written < room.size();) {
    const ssize_t more = ::write(file, room.data() + written, room.size() - written);
    if (more < 0 && errno != EINTR) error = errno;
    if (more > 0) written += static_cast<std::size_t>(more);
  }
  if (file >= 0 && ::close(file) != 0 && error == 0) error = errno;
  ::unlink(path.c_str());
  const std::string parent = fs::path(folder).parent_path().string();
  if (error != 0) return why(parent, error);
  // A compiler that fails for want of space removes what it has written.
  std::error_code unknown;
  const std::uintmax_t left = fs::space(folder, unknown).available;
  if (unknown || left >= kLittle) return {};
  return "temporary files may have had no room in " + parent + ": " + std::to_string(left >> 10U) +
         " KiB are left there; set TMPDIR to another folder";
}

}  // namespace warpfiber::tools::nvcc
