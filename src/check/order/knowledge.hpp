// SPDX-License-Identifier: Apache-2.0
// What a thread knows of others beyond what the barriers of its warp, block, cluster and grid have told everybody: of
// each of some sets of threads, the logical time up to which everything they did happened before it. It comes from
// synchronisation by part of a warp or block, and from atomics with fences. Vectors of all threads never exist: an
// entry stands for a whole block or for lanes of one warp.
// A piece of knowledge never changes, so threads that learnt the same share it. Belongs to one worker: not thread safe.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace warpfiber::check {

/// Lanes of one warp of one block, or a whole block.
struct Members {
  static constexpr unsigned kWholeBlock = ~0U;

  std::uint64_t block = 0;
  unsigned warp = kWholeBlock;
  std::uint64_t lanes = 0;  // 0 for a whole block

  friend auto operator<=>(const Members&, const Members&) = default;
};

/// Everything that `members` did up to `clock` is known.
struct Entry {
  Members members;
  std::uint32_t clock = 0;
};

/// A thread as accesses name it.
struct Who {
  std::uint64_t block;
  unsigned warp;
  unsigned lane;
};

class Knowledge {
 public:
  /// Sorts and keeps what says more than the rest. Beyond kMostEntries sets of threads, everything up to the latest
  /// time counts as known, as it does if `everything` is not 0: races may then be missed, and none is invented.
  explicit Knowledge(std::vector<Entry> entries, std::uint32_t everything = 0);

  static constexpr std::size_t kMostEntries = 16'384;

  bool knows(const Who& who, std::uint32_t clock) const;
  std::span<const Entry> entries() const { return entries_; }
  std::uint32_t everything() const { return everything_; }

 private:
  friend class KnowledgeRef;

  std::vector<Entry> entries_;    // by members
  std::uint32_t everything_ = 0;  // all threads are known up to this time
  unsigned references_ = 0;
};

/// A reference to a piece of knowledge, or to none.
class KnowledgeRef {
 public:
  KnowledgeRef() = default;
  explicit KnowledgeRef(Knowledge* made) : to_(made) { hold(); }
  KnowledgeRef(const KnowledgeRef& other) : to_(other.to_) { hold(); }
  KnowledgeRef(KnowledgeRef&& other) noexcept : to_(std::exchange(other.to_, nullptr)) {}
  KnowledgeRef& operator=(KnowledgeRef other) noexcept {
    std::swap(to_, other.to_);
    return *this;
  }
  ~KnowledgeRef() {
    if (to_ != nullptr && --to_->references_ == 0) delete to_;
  }

  const Knowledge* get() const { return to_; }
  const Knowledge* operator->() const { return to_; }
  explicit operator bool() const { return to_ != nullptr; }
  friend bool operator==(const KnowledgeRef&, const KnowledgeRef&) = default;

 private:
  void hold() const {
    if (to_ != nullptr) ++to_->references_;
  }

  Knowledge* to_ = nullptr;
};

/// What both say.
KnowledgeRef join(const KnowledgeRef& one, const KnowledgeRef& other);
/// What `known` says, and `more`.
KnowledgeRef join(const KnowledgeRef& known, std::span<const Entry> more);
/// Only what it says of `block`.
KnowledgeRef only(const KnowledgeRef& known, std::uint64_t block);
/// The same without what it says of `block` up to `clock`, which everybody concerned knows; none if nothing is left.
KnowledgeRef without(const KnowledgeRef& known, std::uint64_t block, std::uint32_t clock);

}  // namespace warpfiber::check
