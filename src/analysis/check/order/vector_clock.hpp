// SPDX-License-Identifier: Apache-2.0
// What a thread knows of others beyond what the barriers of its warp, block, cluster and grid have released to
// everybody: of each of some sets of threads, the logical time up to which everything they did happened before it. It
// comes from synchronisation by part of a warp or block, and from atomics with fences. It is a tree over the ranks of
// blocks whose leaves hold one block each (vector_clock.cpp). A tree never changes, and trees share the parts that are
// equal, so that joining two costs as much as they differ: a barrier of n blocks through one atomic would copy n lists
// of n entries. Belongs to one worker: not thread safe.
#pragma once

#include <cstdint>
#include <span>
#include <utility>

namespace warpfiber::check {

/// Lanes of one warp of one block, or a whole block.
struct BlockPart {
  static constexpr unsigned kWholeBlock = ~0U;

  std::uint64_t block = 0;
  unsigned warp = kWholeBlock;
  std::uint64_t lanes = 0;  // 0 for a whole block
};

/// Everything that `members` did up to `clock`, which is not 0, is known.
struct Entry {
  BlockPart members;
  std::uint32_t clock = 0;
};

/// A thread as accesses name it.
struct Who {
  std::uint64_t block;
  unsigned warp;
  unsigned lane;
};

/// A tree, or a part of one.
class VectorClock {
 public:
  bool covers(const Who& who, std::uint32_t clock) const;
  /// Whether anything is known of the block.
  bool names(std::uint64_t block) const;
  /// Whether nothing is known of any other block.
  bool names_only(std::uint64_t block) const { return level_ == 0 && first_ == block; }
  /// The latest time that is known of anybody.
  std::uint32_t latest() const { return latest_; }

 protected:
  VectorClock(unsigned level, std::uint64_t first) : level_(level), first_(first) {}

  unsigned references_ = 0;
  unsigned level_;              // 0: a leaf
  std::uint64_t first_;         // the lowest rank of a block that belongs to this part
  std::uint32_t earliest_ = 0;  // of every thread of each of its blocks as much is known at least
  std::uint32_t latest_ = 0;

 private:
  friend class VectorClockRef;
  friend class VectorClockJoin;

  static void destroy(VectorClock* part);
  const VectorClock* leaf_of(std::uint64_t block) const;
};

/// A reference to a piece of knowledge, or to none.
class VectorClockRef {
 public:
  VectorClockRef() = default;
  explicit VectorClockRef(VectorClock* made) : to_(made) { hold(); }
  VectorClockRef(const VectorClockRef& other) : to_(other.to_) { hold(); }
  VectorClockRef(VectorClockRef&& other) noexcept : to_(std::exchange(other.to_, nullptr)) {}
  VectorClockRef& operator=(VectorClockRef other) noexcept {
    std::swap(to_, other.to_);
    return *this;
  }
  ~VectorClockRef() {
    if (to_ != nullptr && --to_->references_ == 0) VectorClock::destroy(to_);
  }

  const VectorClock* get() const { return to_; }
  const VectorClock* operator->() const { return to_; }
  explicit operator bool() const { return to_ != nullptr; }
  friend bool operator==(const VectorClockRef&, const VectorClockRef&) = default;

 private:
  void hold() const {
    if (to_ != nullptr) ++to_->references_;
  }

  VectorClock* to_ = nullptr;
};

/// What both say. Where one says it all, the result is that one, so that equal knowledge is one object.
VectorClockRef join(const VectorClockRef& one, const VectorClockRef& other);
/// What `known` says, and `more`.
VectorClockRef join(const VectorClockRef& known, std::span<const Entry> more);
/// Only what it says of `block`.
VectorClockRef only(const VectorClockRef& known, std::uint64_t block);
/// None if all it says is of `block` up to `clock`, which everybody concerned knows; else `known`.
VectorClockRef without(const VectorClockRef& known, std::uint64_t block, std::uint32_t clock);

}  // namespace warpfiber::check
