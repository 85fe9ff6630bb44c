// SPDX-License-Identifier: Apache-2.0
// Accesses that the compiled code counts instead of reporting them (warpfiber/detail/counted_access.hpp), as one launch
// keeps them until they are flushed to the shadow. Invariant: what the launch has used of the words that a series may
// come to is what that series has counted, or another one that began at the same word, so that a word is one thread's.
// An access by a hook to any of them puts all series down; so no series begins among the words of another.
#pragma once

#include <warpfiber/detail/counted_access.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "check/cells/word.hpp"

namespace warpfiber::check {

/// The counter that lies so far from the OS thread's own pointer.
inline std::uint64_t* counter_at(std::ptrdiff_t offset) {
  return reinterpret_cast<std::uint64_t*>(static_cast<char*>(__builtin_thread_pointer()) + offset);
}

/// Accesses by one instruction: thread x of the running block, which has one row, to the word `first` + x.
struct Series {
  std::uint64_t* counter;  // of the instruction, while it counts
  std::uint64_t begun;     // what the counter was set to, behind the access of thread 0, which was reported
  std::size_t first;
  Notes notes;
  std::uint32_t generation;  // the lower half of memory::objects_generation() then
  bool write;

  /// By how many threads behind thread 0.
  unsigned count() const {
    constexpr unsigned kIndex = (1U << 16) - 1;
    return static_cast<unsigned>(*counter - begun) & kIndex;
  }
};

/// Those of the running row.
class SeriesList {
 public:
  static constexpr unsigned kMost = 16;

  bool none() const { return count_ == 0; }
  std::span<const Series> all() const { return {series_.data(), count_}; }

  /// False only for words that no series comes to.
  bool may_come_to(std::size_t index) const { return index - low_ < words_; }
  /// `threads`: of the block.
  bool comes_to(std::size_t index, unsigned threads) const {
    return std::ranges::any_of(all(), [=](const Series& one) { return index - one.first - 1 < threads - 1; });
  }

  /// What it takes to find out whether a series may begin is worth it some times only, until there is another time.
  void may_begin() { tries_ = kTries; }
  bool tries() { return tries_ != 0 && count_ != kMost && tries_-- != 0; }

  void add(const Series& made, unsigned threads) {
    series_[count_++] = made;
    const std::size_t end = std::max(words_ == 0 ? 0 : low_ + words_, made.first + threads);
    low_ = words_ == 0 ? made.first + 1 : std::min(low_, made.first + 1);
    words_ = end - low_;
  }
  void clear() {
    count_ = 0;
    words_ = 0;
  }

 private:
  static constexpr unsigned kTries = 32;

  std::size_t low_ = 0;  // with `words_`, all words that series come to, and what lies between them
  std::size_t words_ = 0;
  unsigned count_ = 0;
  unsigned tries_ = 0;
  std::array<Series, kMost> series_;
};

}  // namespace warpfiber::check
