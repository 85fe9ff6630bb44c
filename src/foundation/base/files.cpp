// SPDX-License-Identifier: Apache-2.0
// The temporary file is created with O_EXCL, which does not follow a symbolic link that another user has put there, and
// gets the mode and the owner of the file that it replaces.
#include "base/files.hpp"

#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <streambuf>
#include <utility>

namespace warpfiber::base {
namespace {

/// Where links lead; the path itself where nothing is there yet.
std::string behind_links(const std::string& path) {
  char* const found = ::realpath(path.c_str(), nullptr);
  if (found == nullptr) return path;
  std::string real = found;
  std::free(found);
  return real;
}

constexpr int kFlags = O_WRONLY | O_CLOEXEC | O_NOCTTY;

/// A new file in the folder of `path`; its name goes to `fresh`. -1: errno says why not.
int make_new_file(const std::string& path, std::string& fresh) {
  constexpr int kTries = 16;
  for (int i = 0; i < kTries; ++i) {
    std::uint64_t number = 0;
    if (::getrandom(&number, sizeof number, 0) != sizeof number) return -1;
    fresh = path + "." + std::to_string(number);
    const int file = ::open(fresh.c_str(), kFlags | O_CREAT | O_EXCL, 0666);
    if (file >= 0 || errno != EEXIST) return file;
  }
  return -1;
}

bool is_forbidden(int error) {
  return error == EACCES || error == EPERM || error == EROFS;
}

}  // namespace

/// Writes to a file descriptor, and keeps the first error.
class OutputFile::Buffer : public std::streambuf {
 public:
  Buffer(int file, int failure) : file_(file), failure_(failure) { setp(bytes_.data(), bytes_.data() + bytes_.size()); }
  ~Buffer() override { close(); }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  /// Everything is written; the error's number, or 0.
  int close() {
    flush();
    if (file_ >= 0 && ::close(std::exchange(file_, -1)) != 0) fail();
    return failure_;
  }

  void fail() {
    if (failure_ == 0) failure_ = errno;
  }

 protected:
  int_type overflow(int_type c) override {
    if (!flush()) return traits_type::eof();
    if (!traits_type::eq_int_type(c, traits_type::eof())) sputc(traits_type::to_char_type(c));
    return traits_type::not_eof(c);
  }
  int sync() override { return flush() ? 0 : -1; }

 private:
  bool flush() {
    const char* at = pbase();
    while (failure_ == 0 && at < pptr()) {
      const ssize_t written = ::write(file_, at, static_cast<std::size_t>(pptr() - at));
      if (written >= 0) {
        at += written;
      } else if (errno != EINTR) {
        fail();
      }
    }
    setp(bytes_.data(), bytes_.data() + bytes_.size());
    return failure_ == 0;
  }

  int file_ = -1;
  int failure_ = 0;
  std::array<char, 1U << 16> bytes_;
};

OutputFile::OutputFile(const std::string& path) : path_(behind_links(path)), stream_(nullptr) {
  struct stat known {};
  struct stat named {};
  const bool is_there = ::stat(path_.c_str(), &known) == 0;
  const bool is_link_to_none = !is_there && ::lstat(path_.c_str(), &named) == 0;
  int file = -1;
  if (is_there && !S_ISREG(known.st_mode)) {
    file = ::open(path_.c_str(), kFlags);
  } else if (is_link_to_none) {
    file = ::open(path_.c_str(), kFlags | O_CREAT | O_TRUNC, 0666);
  } else if (!is_there || ::access(path_.c_str(), W_OK) == 0) {
    file = make_new_file(path_, fresh_);
    if (file < 0) fresh_.clear();
    if (file >= 0 && is_there) {
      // Only root may give a file away; without that the file is the writer's.
      [[maybe_unused]] const int is_given = ::fchown(file, known.st_uid, known.st_gid);
      ::fchmod(file, known.st_mode & 07777);
    }
    // A folder in which nothing may be made can have a file that may be written.
    if (file < 0 && is_there && is_forbidden(errno)) file = ::open(path_.c_str(), kFlags | O_TRUNC);
  }
  buffer_ = std::make_unique<Buffer>(file, file < 0 ? errno : 0);
  stream_.rdbuf(buffer_.get());
}

OutputFile::~OutputFile() {
  if (!fresh_.empty()) ::unlink(fresh_.c_str());
}

std::string OutputFile::commit() {
  stream_.flush();
  int failure = buffer_->close();
  if (failure == 0 && !fresh_.empty()) {
    if (std::rename(fresh_.c_str(), path_.c_str()) == 0) {
      fresh_.clear();
    } else {
      failure = errno;
    }
  }
  return failure == 0 ? std::string() : std::string(std::strerror(failure));
}

std::string write_output(const std::string& path, const std::string& text) {
  OutputFile file(path);
  file.stream() << text;
  return file.commit();
}

// The size of a device or a pipe is not known before it is read.
Result<std::string> read_input(const std::string& path, std::size_t most_mib) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY);
  if (file < 0) return Failure{std::strerror(errno)};
  std::string text;
  std::string why;
  std::array<char, 1U << 16> part;
  for (ssize_t size = 1; size != 0 && why.empty();) {
    size = ::read(file, part.data(), part.size());
    if (size < 0 && errno != EINTR) why = std::strerror(errno);
    if (size > 0) text.append(part.data(), static_cast<std::size_t>(size));
    if (text.size() > most_mib << 20U) why = std::strerror(EFBIG);
  }
  ::close(file);
  if (!why.empty()) return Failure{why};
  return text;
}

}  // namespace warpfiber::base
