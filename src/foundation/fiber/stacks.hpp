// SPDX-License-Identifier: Apache-2.0
// Stacks for fibers, in slabs: one mapping for many stacks, pages taken up only when touched, kept from launch to
// launch. Each stack has a guard below it. Stack tops are coloured, so that they fall into different cache sets.
// A StackSlabs belongs to one worker; only its OS thread may call it, but for last_use().
#pragma once

#include <warpfiber/detail/fiber.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/locks/annotated_mutex.hpp"

namespace warpfiber::fiber {

/// How an overflowing stack is noticed.
enum class Guard {
  page,    // an access faults (MADV_GUARD_INSTALL, Linux 6.13 and later)
  canary,  // a pattern at the low end is found changed at the next check
};

/// What stacks are taken for.
struct StacksTurn {
  std::uint64_t launch = 0;  // its number, which no other one has; 0: another one than before
  bool is_late = false;      // stacks of earlier launches are used again as late as a moderate number of them allows
};

/// Who had a stack last.
struct StackUse {
  std::uint64_t launch = 0;   // StacksTurn::launch
  void (*entry)() = nullptr;  // of the fiber
  std::size_t depth = 0;      // of the address, below the top of the stack
};

class StackSlabs {
 public:
  StackSlabs() = default;
  ~StackSlabs();
  StackSlabs(const StackSlabs&) = delete;
  StackSlabs& operator=(const StackSlabs&) = delete;

  /// Makes every later stack `bytes` large (rounded up to pages). Unmaps what exists when the size changes, so no fiber
  /// may be running.
  void set_stack_size(std::size_t bytes);

  /// A fiber that starts in `entry` when it is first switched to; null when the system gives no more memory.
  detail::Fiber* take(void (*entry)());

  /// Every fiber is unused again, whatever it was doing. Gives memory beyond `keep` fibers back to the system, or more
  /// where their turn is late.
  void recycle_all(std::size_t keep, const StacksTurn& turn = {});

  /// The fiber on whose stack `address` lies, or null.
  const detail::Fiber* owner_of(const void* address) const;
  /// Who had the stack last that `address` lies on; nothing where it lies on none. Any thread may ask.
  std::optional<StackUse> last_use(const void* address) const;
  /// Whether `fiber` was taken and not recycled.
  bool is_taken(const detail::Fiber& fiber) const;
  /// The fiber in whose guard `address` lies, or null.
  const detail::Fiber* overflowed_at(const void* address) const;
  /// A fiber whose canary was overwritten, or null. Always null where guards are pages.
  const detail::Fiber* overflowed_canary() const;

  /// Calls visit(fiber) for every fiber that was taken and not recycled.
  template <class Visit>
  void each_taken(Visit&& visit) const {
    for (const Range& range : taken_) {
      std::size_t first = 0;  // of the slab
      for (const Slab& slab : slabs_) {
        const std::size_t last = std::min(range.end, first + slab.count);
        for (std::size_t i = std::max(range.begin, first); i < last; ++i) visit(slab.fibers[i - first]);
        first += slab.count;
      }
    }
  }

  /// Where fibers are, for a debugger: offsets within this and within a slab. Those that are not taken have no warp.
  struct SlabLayout {
    std::size_t slabs;
    std::size_t slab_size, fibers, prepared;
  };
  static constexpr SlabLayout layout();

  std::size_t made() const { return made_; }
  std::size_t stack_size() const { return stack_bytes_; }
  Guard guard() const { return guard_; }

 private:
  /// Of a stack; written by its worker.
  struct LastUse {
    std::atomic<std::uint64_t> launch;
    std::atomic<void (*)()> entry;
  };

  struct Slab {
    char* memory;
    std::size_t bytes;
    detail::Fiber* fibers;
    detail::FiberDetails* details;
    LastUse* uses;
    std::size_t count;
    std::size_t prepared;  // fibers whose stack bounds and guard are set
  };

  /// Fibers by their number: those of the first slab come first.
  struct Range {
    std::size_t begin = 0;
    std::size_t end = 0;
  };

  bool add_slab();
  bool next_slab();
  void drop_slabs(std::size_t first);
  std::size_t capacity() const;
  const Slab* slab_with(const char* place) const;
  void drop_slab(const Slab& slab) WARPFIBER_REQUIRES(slabs_mutex_);
  void prepare(Slab& slab, std::size_t index);
  std::size_t stride() const;
  /// Bytes of a fiber besides its stack.
  static constexpr std::size_t bookkeeping() {
    return sizeof(detail::Fiber) + sizeof(detail::FiberDetails) + sizeof(LastUse);
  }

  std::vector<Slab> slabs_;
  std::size_t current_ = 0;            // slab that `take` serves from
  std::size_t used_ = 0;               // the next fiber in it
  std::size_t made_ = 0;               // fibers taken in all
  std::vector<Range> taken_{Range{}};  // the last one grows
  std::uint64_t launch_ = 1;
  std::size_t room_ = 0;  // so many stacks there are to be before one is taken again in a late turn
  // Guards changes of slabs_ against looks of other OS threads. The stacks' own thread, which makes them, looks
  // without.
  mutable base::Mutex slabs_mutex_;
  std::size_t stack_bytes_ = 64 * 1024;
  Guard guard_ = Guard::page;
};

constexpr StackSlabs::SlabLayout StackSlabs::layout() {
  return {offsetof(StackSlabs, slabs_), sizeof(Slab), offsetof(Slab, fibers), offsetof(Slab, prepared)};
}

/// The next switch to `fiber` starts `entry` on a fresh stack. `entry` must never return.
void prepare_entry(detail::Fiber& fiber, void (*entry)());

}  // namespace warpfiber::fiber
