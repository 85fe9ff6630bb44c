// SPDX-License-Identifier: Apache-2.0
// Distinguishes the part of a matrix that no thread has computed from what a layout leaves out: the gaps of the first
// come once a row, and what is written of a row is as wide as a launch. Pure.
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/locks/annotated_mutex.hpp"
#include "check/objects/unwritten.hpp"

namespace warpfiber::launches {

/// Unwritten stretches of memory, in ascending order, as long as each is a row's distance behind the one before.
class RowGaps {
 public:
  void add(const check::Stretch& gap);

  bool are_regular() const { return rows_ >= 2 && !broken_; }
  std::size_t rows() const { return rows_; }
  std::size_t bytes() const { return first_.bytes; }  // of one gap
  std::size_t pitch() const { return pitch_; }        // from gap to gap
  std::size_t written() const { return pitch_ - first_.bytes; }

 private:
  check::Stretch first_{};
  const char* last_ = nullptr;
  std::size_t pitch_ = 0;
  std::size_t rows_ = 0;
  bool ended_ = false;  // a longer gap has come, which the last row and unwritten rows behind it make
  bool broken_ = false;
};

/// How many threads launches had along x and along y: a kernel writes rows of that many elements, unless a guard of its
/// own ends them. Any thread may call.
class LaunchExtents {
 public:
  struct Extent {
    std::size_t threads = 0;
    char axis = 'x';
    std::string kernel{};
  };

  void add(const std::string& kernel, std::size_t x, std::size_t y);
  /// cudaMallocPitch has made rows of `pitch` bytes for `width` bytes that are used.
  void add_padded_rows(std::size_t width, std::size_t pitch);
  /// The extent that explains why `written` bytes of each row were written and not the rest of the `pitch`.
  std::optional<Extent> cut_at(std::size_t written, std::size_t pitch) const;

 private:
  static constexpr std::size_t kMost = 64;  // the latest ones

  mutable base::Mutex mutex_;
  std::vector<Extent> extents_ WARPFIBER_GUARDED_BY(mutex_);
  std::set<std::pair<std::size_t, std::size_t>> padded_ WARPFIBER_GUARDED_BY(mutex_);  // width and pitch
};

LaunchExtents& launch_extents();

}  // namespace warpfiber::launches
