// SPDX-License-Identifier: Apache-2.0
//
// Maps slabs of growing size, prepares each stack when it is first taken, and reuses all of them from launch to
// launch. Guards are installed with madvise(), which needs Linux 6.13; elsewhere a canary below the stack takes their
// place.
#include "fiber/stacks.hpp"

#include "base/contract.hpp"
#include "base/locks/annotated_mutex.hpp"
#include "base/system/address_space.hpp"
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
constexpr std::size_t kFirstSlab = 64;
constexpr std::size_t kLargestSlab = 4096;
// Half a page of colours, so that a shallow thread still fits the one page its top lies in.
constexpr std::size_t kColours = 32;
constexpr std::size_t kCacheLine = 64;
constexpr std::uint64_t kCanary = 0x57415250'46494245;
// Wide, so that a large frame is unlikely to step over it.
constexpr std::size_t kGuard = 15 * kPage;
constexpr int kMadvGuardInstall = 102;  // not yet in the headers of Debian 12
// Stacks whose turn is late: so many launches like the last one find others than it, of which at least so many fibers
// are reckoned, and so many stacks are kept for it at most.
constexpr std::size_t kLateLaunches = 4;
constexpr std::size_t kLeastLate = 16;
constexpr std::size_t kMostLate = 2048;

char* map(std::size_t bytes) {
  return base::map_with_headroom(bytes, PROT_READ | PROT_WRITE);
}

bool install_guard(char* low) {
  return madvise(low, kGuard, kMadvGuardInstall) == 0;
}

}  // namespace

StackSlabs::~StackSlabs() {
  drop_slabs(0);
}

/// An odd number of pages: tops a power of two apart would fall into the same cache sets.
std::size_t StackSlabs::stride() const {
  return (stack_bytes_ + kGuard) | kPage;
}

void StackSlabs::set_stack_size(std::size_t bytes) {
  const std::size_t rounded = (std::max(bytes, 2 * kPage) + kPage - 1) / kPage * kPage;
  if (rounded == stack_bytes_) return;
  drop_slabs(0);
  current_ = used_ = made_ = 0;
  taken_.assign(1, Range{});
  stack_bytes_ = rounded;
}

bool StackSlabs::add_slab() {
  const std::size_t count = slabs_.empty() ? kFirstSlab : std::min(2 * slabs_.back().count, kLargestSlab);
  const std::size_t bytes = count * stride();
  char* memory = map(bytes);
  char* fibers = memory == nullptr ? nullptr : map(count * bookkeeping());
  if (fibers == nullptr) {
    if (memory != nullptr) munmap(memory, bytes);
    return false;
  }
  // Nothing else is to be part of this mapping: gdb writes none into a core file that it cannot read from end to end,
  // and guards cannot be read. Linux joins neighbours with the same advice, such as an arena of malloc.
  ::madvise(memory, bytes, MADV_NOHUGEPAGE);
  auto* details = reinterpret_cast<FiberDetails*>(fibers + count * sizeof(Fiber));
  auto* uses = reinterpret_cast<LastUse*>(fibers + count * (sizeof(Fiber) + sizeof(FiberDetails)));
  const base::Lock lock(slabs_mutex_);
  slabs_.push_back(Slab{memory, bytes, reinterpret_cast<Fiber*>(fibers), details, uses, count, 0});
  return true;
}

/// No fiber is left in the current slab.
bool StackSlabs::next_slab() {
  const bool may_begin_again = taken_.size() == 1 && taken_.front().begin != 0;
  const std::size_t all = capacity();
  if ((may_begin_again && all >= room_) || !add_slab()) {
    if (!may_begin_again) return false;
    current_ = used_ = 0;
    taken_.push_back({});
    return true;
  }
  current_ = slabs_.size() - 1;
  used_ = 0;
  if (taken_.back().end != all) taken_.push_back({all, all});
  return true;
}

std::size_t StackSlabs::capacity() const {
  std::size_t all = 0;
  for (const Slab& slab : slabs_) all += slab.count;
  return all;
}

void StackSlabs::drop_slab(const Slab& slab) {
  for (std::size_t i = 0; i < slab.prepared; ++i) forget_stack(slab.fibers[i]);
  munmap(slab.memory, slab.bytes);
  munmap(static_cast<void*>(slab.fibers), slab.count * bookkeeping());
}

/// Those from number `first` on.
void StackSlabs::drop_slabs(std::size_t first) {
  const base::Lock lock(slabs_mutex_);
  for (std::size_t i = first; i < slabs_.size(); ++i) drop_slab(slabs_[i]);
  slabs_.resize(std::min(first, slabs_.size()));
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
  new (&slab.uses[index]) LastUse{};
  __atomic_store_n(&slab.prepared, index + 1, __ATOMIC_RELEASE);
}

Fiber* StackSlabs::take(void (*entry)()) {
  const bool is_round = taken_.size() == 2 && taken_.back().end == taken_.front().begin;
  if (is_round) current_ = slabs_.size();
  if (current_ == slabs_.size() && !next_slab()) return nullptr;
  Slab& slab = slabs_[current_];
  if (used_ == slab.prepared) prepare(slab, used_);
  Fiber* fiber = &slab.fibers[used_];
  announce_discard(*fiber);  // of whatever it ran before
  prepare_entry(*fiber, entry);
  fiber->warp = nullptr;
  fiber->next = nullptr;        // its neighbour in a list of an earlier launch may have been given back
  fiber->more->note = nullptr;  // a launch that failed has left its threads where they were
  fiber->more->vote = 0;
  slab.uses[used_].entry.store(entry, std::memory_order_relaxed);
  slab.uses[used_].launch.store(launch_, std::memory_order_relaxed);
  ++made_;
  ++taken_.back().end;
  if (++used_ == slab.count) {
    ++current_;
    used_ = 0;
  }
  return fiber;
}

void StackSlabs::recycle_all(std::size_t keep, const StacksTurn& turn) {
  each_taken([](Fiber& fiber) { fiber.warp = nullptr; });  // a launch that failed has left it
  room_ = turn.is_late ? std::min(kLateLaunches * std::max(made_, kLeastLate), kMostLate) : 0;
  std::size_t kept = 0;
  std::size_t slabs = 0;
  while (slabs < slabs_.size() && kept < std::max(keep, room_)) kept += slabs_[slabs++].count;
  drop_slabs(slabs);
  launch_ = turn.launch != 0 ? turn.launch : launch_ + 1;
  made_ = 0;
  std::size_t begin = taken_.back().end;
  if (!turn.is_late || begin > kept) begin = 0;
  taken_.assign(1, Range{begin, begin});
  if (begin == 0) current_ = used_ = 0;
  current_ = std::min(current_, slabs_.size());
}

std::optional<StackUse> StackSlabs::last_use(const void* address) const {
  const base::Lock lock(slabs_mutex_);
  const char* place = static_cast<const char*>(address);
  const Slab* slab = slab_with(place);
  if (slab == nullptr) return std::nullopt;
  const auto index = static_cast<std::size_t>(place - slab->memory) / stride();
  if (index >= __atomic_load_n(&slab->prepared, __ATOMIC_ACQUIRE)) return std::nullopt;
  const FiberDetails& details = slab->details[index];
  const std::uint64_t launch = slab->uses[index].launch.load(std::memory_order_relaxed);
  if (launch == 0 || place < details.stack_low || place >= details.stack_high) return std::nullopt;
  return StackUse{launch, slab->uses[index].entry.load(std::memory_order_relaxed),
                  static_cast<std::size_t>(details.stack_high - place)};
}

bool StackSlabs::is_taken(const Fiber& fiber) const {
  const auto slab = std::ranges::find_if(
      slabs_, [&fiber](const Slab& one) { return &fiber >= one.fibers && &fiber < one.fibers + one.count; });
  return slab != slabs_.end() && slab->uses[&fiber - slab->fibers].launch.load(std::memory_order_relaxed) == launch_;
}

const StackSlabs::Slab* StackSlabs::slab_with(const char* place) const {
  const auto found = std::ranges::find_if(
      slabs_, [place](const Slab& slab) { return place >= slab.memory && place < slab.memory + slab.bytes; });
  return found == slabs_.end() ? nullptr : &*found;
}

const Fiber* StackSlabs::overflowed_at(const void* address) const {
  const char* place = static_cast<const char*>(address);
  const Slab* slab = slab_with(place);
  if (slab == nullptr) return nullptr;
  const std::size_t offset = static_cast<std::size_t>(place - slab->memory);
  return offset % stride() < kGuard ? &slab->fibers[offset / stride()] : nullptr;
}

const Fiber* StackSlabs::owner_of(const void* address) const {
  const char* place = static_cast<const char*>(address);
  const Slab* slab = slab_with(place);
  return slab == nullptr ? nullptr : &slab->fibers[static_cast<std::size_t>(place - slab->memory) / stride()];
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
