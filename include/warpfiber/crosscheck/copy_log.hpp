// SPDX-License-Identifier: Apache-2.0
// The file in which a program leaves what it copied back from a device, for `warpfiber crosscheck`
// (docs/crosscheck.md): written by the simulator's runtime and, on a GPU, by the recorder that is linked into the
// program, read by the command. C++17, because nvcc compiles the recorder as whatever the toolkit takes.
//     KIND ORDINAL FUNCTION WIDTH ROWS SLICES STORED HASH TYPE PLACE <newline> <STORED bytes> <newline>
// KIND is "copy" (in the order of the calls) or "managed" (what managed memory held when it was freed, or at the end,
// in the order of the allocations); WIDTH is in bytes; rows and slices follow each other without gaps; HASH is of all
// bytes, also of those that are not stored because there are too many.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <string>

namespace warpfiber::crosscheck {

constexpr std::size_t kMostStored = std::size_t{16} << 20;        // bytes of one copy
constexpr std::size_t kMostStoredInAll = std::size_t{256} << 20;  // bytes of a program's
constexpr std::uint64_t kHashOfNothing = 14695981039346656037ULL;

/// FNV-1a over bytes, going on from `hash`.
inline std::uint64_t hash_of(const void* from, std::size_t bytes, std::uint64_t hash = kHashOfNothing) {
  const auto* const at = static_cast<const unsigned char*>(from);
  for (std::size_t i = 0; i < bytes; ++i) hash = (hash ^ at[i]) * 1099511628211ULL;
  return hash;
}

/// Where the bytes lie after a copy: `width` bytes to a row; pitch and slice count where there are several.
struct CopiedBox {
  const void* at = nullptr;
  std::size_t width = 0;
  std::size_t rows = 1;
  std::size_t slices = 1;
  std::size_t pitch = 0;
  std::size_t slice = 0;

  std::size_t bytes() const { return width * rows * slices; }
};

/// What is recorded of a copy besides its bytes. Words without blanks; a place may have some.
struct CopyFacts {
  const char* kind = "copy";
  std::uint64_t ordinal = 0;
  std::string function{};
  std::string type = "-";   // of an element: "float"; "-": not known
  std::string place = "-";  // "saxpy.cu:31"; "-": not known
};

/// A file that copies are appended to, each at once and whole. Belongs to the process that opened it: in a forked child
/// it takes nothing. Any thread may call.
class CopyLog {
 public:
  /// Makes the file anew. False if that cannot be done.
  bool open(const char* path) {
    file_ = ::open(path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0644);
    owner_ = ::getpid();
    return file_ >= 0;
  }

  /// From now on at most `bytes` of a copy are stored; its hash is of all.
  void keep(std::size_t bytes) { most_stored_ = bytes < kMostStored ? bytes : kMostStored; }

  bool is_open() const { return file_ >= 0 && owner_ == ::getpid(); }

  /// The number of the next copy, or of the next managed allocation.
  std::uint64_t number_copy() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return ++copies_;
  }
  std::uint64_t number_managed() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return ++managed_;
  }

  void write(const CopyFacts& facts, const CopiedBox& box) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!is_open()) return;
    std::size_t room = kMostStoredInAll - stored_;
    if (room > most_stored_) room = most_stored_;
    std::string bytes;
    std::uint64_t hash = kHashOfNothing;
    for (std::size_t z = 0; z < box.slices; ++z) {
      for (std::size_t y = 0; y < box.rows; ++y) {
        const char* row = static_cast<const char*>(box.at) + z * box.slice + y * box.pitch;
        hash = hash_of(row, box.width, hash);
        bytes.append(row, box.width < room - bytes.size() ? box.width : room - bytes.size());
      }
    }
    stored_ += bytes.size();
    append(header(facts, box, bytes.size(), hash) + bytes + "\n");
  }

  /// A line of its own: what is known of the copy before it.
  void note(const std::string& line) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (is_open()) append(line + "\n");
  }

 private:
  static std::string header(const CopyFacts& facts, const CopiedBox& box, std::size_t stored, std::uint64_t hash) {
    char numbers[160];
    std::snprintf(numbers, sizeof numbers, " %zu %zu %zu %zu %016llx ", box.width, box.rows, box.slices, stored,
                  static_cast<unsigned long long>(hash));
    return std::string(facts.kind) + " " + std::to_string(facts.ordinal) + " " + facts.function + numbers + facts.type +
           " " + facts.place + "\n";
  }

  void append(const std::string& text) const {
    for (std::size_t done = 0; done < text.size();) {
      const ssize_t written = ::write(file_, text.data() + done, text.size() - done);
      if (written <= 0) return;  // a full disk: the reader finds the end missing
      done += static_cast<std::size_t>(written);
    }
  }

  std::mutex mutex_;
  int file_ = -1;
  pid_t owner_ = 0;
  std::uint64_t copies_ = 0;
  std::uint64_t managed_ = 0;
  std::size_t stored_ = 0;
  std::size_t most_stored_ = kMostStored;
};

}  // namespace warpfiber::crosscheck
