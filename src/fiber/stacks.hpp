// SPDX-License-Identifier: Apache-2.0
// Stacks for fibers, in slabs: one mapping for many stacks, pages taken up only when touched, kept from launch to
// launch. Each stack has a guard below it. Stack tops are coloured, so that they fall into different cache sets.
// A StackSlabs belongs to one worker; only its OS thread may call it.
#pragma once

#include <warpfiber/detail/fiber.hpp>

#include <cstddef>
#include <vector>

namespace warpfiber::fiber {

/// How an overflowing stack is noticed.
enum class Guard {
  page,    // an access faults (MADV_GUARD_INSTALL, Linux 6.13 and later)
  canary,  // a pattern at the low end is found changed at the next check
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

  /// Every fiber is unused again, whatever it was doing. Gives memory beyond `keep` fibers back to the system.
  void recycle_all(std::size_t keep);

  /// The fiber on whose stack `address` lies, or null.
  const detail::Fiber* owner_of(const void* address) const;
  /// The fiber in whose guard `address` lies, or null.
  const detail::Fiber* overflowed_at(const void* address) const;
  /// A fiber whose canary was overwritten, or null. Always null where guards are pages.
  const detail::Fiber* overflowed_canary() const;

  /// Calls visit(fiber) for every fiber that was taken and not recycled.
  template <class Visit>
  void each_taken(Visit&& visit) const {
    for (std::size_t i = 0; i < slabs_.size() && i <= current_; ++i) {
      const std::size_t taken = i == current_ ? used_ : slabs_[i].count;
      for (std::size_t j = 0; j < taken; ++j) visit(slabs_[i].fibers[j]);
    }
  }

  /// Where each_taken() looks, for a debugger: offsets within this and within a slab.
  struct SlabLayout {
    std::size_t slabs, current, used;
    std::size_t slab_size, fibers, count;
  };
  static constexpr SlabLayout layout();

  std::size_t made() const { return made_; }
  std::size_t stack_size() const { return stack_bytes_; }
  Guard guard() const { return guard_; }

 private:
  struct Slab {
    char* memory;
    std::size_t bytes;
    detail::Fiber* fibers;
    detail::FiberDetails* details;
    std::size_t count;
    std::size_t prepared;  // fibers whose stack bounds and guard are set
  };

  bool add_slab();
  void drop_slab(const Slab& slab);
  void prepare(Slab& slab, std::size_t index);
  std::size_t stride() const;

  std::vector<Slab> slabs_;
  std::size_t current_ = 0;  // slab that `take` serves from
  std::size_t used_ = 0;     // fibers taken from it
  std::size_t made_ = 0;     // fibers taken in all
  std::size_t stack_bytes_ = 64 * 1024;
  Guard guard_ = Guard::page;
};

constexpr StackSlabs::SlabLayout StackSlabs::layout() {
  return {offsetof(StackSlabs, slabs_), offsetof(StackSlabs, current_), offsetof(StackSlabs, used_), sizeof(Slab),
          offsetof(Slab, fibers),       offsetof(Slab, count)};
}

}  // namespace warpfiber::fiber
