// SPDX-License-Identifier: Apache-2.0
//
// Maps slabs of growing size, prepares each stack when it is first taken, and reuses all of them from launch to
// launch. Guards are installed with madvise(), which needs Linux 6.13; elsewhere a canary below the stack takes their
// place.
#include "fiber/stacks.hpp"

#include "base/contract.hpp"
#include "base/system/headroom.hpp"
#include "fiber/enter.hpp"
#include "fiber/tools.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace warpfiber::fiber {
namespace {

using detail::Fiber;
using detail::FiberDetails;

constexpr std::size_t kPage = 4096;
constexpr std::size_t kBookkeeping = sizeof(Fiber) + sizeof(FiberDetails);
constexpr std::size_t kFirstSlab = 64;
constexpr std::size_t kLargestSlab = 4096;
// Half a page of colours, so that a shallow thread still fits the one page its top lies in.
constexpr std::size_t kColours = 32;
constexpr std::size_t kCacheLine = 64;
constexpr std::uint64_t kCanary = 0x57415250'46494245;
// Wide, so that a large frame is unlikely to step over it.
constexpr std::size_t kGuard = 15 * kPage;
constexpr int kMadvGuardInstall = 102;  // not yet in the headers of Debian 12

char* map(std::size_t bytes) {
  return base::map_with_headroom(bytes, PROT_READ | PROT_WRITE);
}

bool install_guard(char* low) {
  return madvise(low, kGuard, kMadvGuardInstall) == 0;
}

}  // namespace

StackSlabs::~StackSlabs() {
  for (const Slab& slab : slabs_) drop_slab(slab);
}

/// An odd number of pages: tops a power of two apart would fall into the same cache sets.
std::size_t StackSlabs::stride() const {
  return (stack_bytes_ + kGuard) | kPage;
}

void StackSlabs::set_stack_size(std::size_t bytes) {
  const std::size_t rounded = (std::max(bytes, 2 * kPage) + kPage - 1) / kPage * kPage;
  if (rounded == stack_bytes_) return;
  for (const Slab& slab : slabs_) drop_slab(slab);
  slabs_.clear();
  current_ = used_ = made_ = 0;
  stack_bytes_ = rounded;
}

bool StackSlabs::add_slab() {
  const std::size_t count = slabs_.empty() ? kFirstSlab : std::min(2 * slabs_.back().count, kLargestSlab);
  const std::size_t bytes = count * stride();
  char* memory = map(bytes);
  char* fibers = memory == nullptr ? nullptr : map(count * kBookkeeping);
  if (fibers == nullptr) {
    if (memory != nullptr) munmap(memory, bytes);
    return false;
  }
  // Nothing else is to be part of this mapping: gdb writes none into a core file that it cannot read from end to end,
  // and guards cannot be read. Linux joins neighbours with the same advice, such as an arena of malloc.
  ::madvise(memory, bytes, MADV_NOHUGEPAGE);
  auto* details = reinterpret_cast<FiberDetails*>(fibers + count * sizeof(Fiber));
  slabs_.push_back(Slab{memory, bytes, reinterpret_cast<Fiber*>(fibers), details, count, 0});
  return true;
}

void StackSlabs::drop_slab(const Slab& slab) {
  for (std::size_t i = 0; i < slab.prepared; ++i) forget_stack(slab.fibers[i]);
  munmap(slab.memory, slab.bytes);
  munmap(static_cast<void*>(slab.fibers), slab.count * kBookkeeping);
}

void StackSlabs::prepare(Slab& slab, std::size_t index) {
  char* low = slab.memory + index * stride();
  Fiber* fiber = new (&slab.fibers[index]) Fiber;
  fiber->more = new (&slab.details[index]) FiberDetails;
  if (guard_ == Guard::page && !install_guard(low)) guard_ = Guard::canary;
  if (guard_ == Guard::canary) std::memcpy(low + kGuard, &kCanary, sizeof kCanary);
  fiber->more->stack_low = low + kGuard;
  fiber->more->stack_high = low + stride() - index % kColours * kCacheLine;
  announce_stack(*fiber);
  slab.prepared = index + 1;
}

Fiber* StackSlabs::take(void (*entry)()) {
  if (current_ == slabs_.size() && !add_slab()) return nullptr;
  Slab& slab = slabs_[current_];
  if (used_ == slab.prepared) prepare(slab, used_);
  Fiber* fiber = &slab.fibers[used_];
  announce_discard(*fiber);  // of whatever it ran before
  prepare_entry(*fiber, entry);
  fiber->warp = nullptr;
  fiber->next = nullptr;        // its neighbour in a list of an earlier launch may have been given back
  fiber->more->note = nullptr;  // a launch that failed has left its threads where they were
  fiber->more->vote = 0;
  ++made_;
  if (++used_ == slab.count) {
    ++current_;
    used_ = 0;
  }
  return fiber;
}

void StackSlabs::recycle_all(std::size_t keep) {
  std::size_t kept = 0;
  std::size_t slabs = 0;
  while (slabs < slabs_.size() && kept < keep) kept += slabs_[slabs++].count;
  for (std::size_t i = slabs; i < slabs_.size(); ++i) drop_slab(slabs_[i]);
  slabs_.resize(slabs);
  current_ = used_ = made_ = 0;
}

const Fiber* StackSlabs::overflowed_at(const void* address) const {
  const char* place = static_cast<const char*>(address);
  for (const Slab& slab : slabs_) {
    if (place < slab.memory || place >= slab.memory + slab.bytes) continue;
    const std::size_t offset = static_cast<std::size_t>(place - slab.memory);
    return offset % stride() < kGuard ? &slab.fibers[offset / stride()] : nullptr;
  }
  return nullptr;
}

const Fiber* StackSlabs::owner_of(const void* address) const {
  const char* place = static_cast<const char*>(address);
  for (const Slab& slab : slabs_) {
    if (place < slab.memory || place >= slab.memory + slab.bytes) continue;
    return &slab.fibers[static_cast<std::size_t>(place - slab.memory) / stride()];
  }
  return nullptr;
}

const Fiber* StackSlabs::overflowed_canary() const {
  if (guard_ == Guard::page) return nullptr;
  for (const Slab& slab : slabs_) {
    for (std::size_t i = 0; i < slab.prepared; ++i) {
      if (std::memcmp(slab.details[i].stack_low, &kCanary, sizeof kCanary) != 0) return &slab.fibers[i];
    }
  }
  return nullptr;
}

}  // namespace warpfiber::fiber
