// SPDX-License-Identifier: Apache-2.0
//
// Takes pages of the device space for each allocation, up to a number of mappings, and pieces of shared mappings
// beyond that. Unchecked programs get ranges back that they have freed, as mapping costs more than the allocation.
#include "memory/global_heap.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <iterator>

#include "base/contract.hpp"
#include "base/locks/annotated_mutex.hpp"
#include "memory/device_space.hpp"
#include "memory/memory_state.hpp"
#include "memory/shared_arena.hpp"

namespace warpfiber::memory {
namespace {

// That of textures on every model, and what cudaMalloc gives on devices, though CUDA promises 256 only.
constexpr std::size_t kGlobalAlignment = 512;
constexpr std::size_t kGlobalRedZone = 256;
// Before and behind an allocation, so that it is aligned.
constexpr std::size_t kAround = 2 * kGlobalAlignment;
// Each has two mappings, of which Linux gives a process 65,530 unless configured otherwise and valgrind 30,000.
constexpr std::size_t kMostMapped = 12'288;
// What a program that is not checked finds filled. The rest of an allocation is not touched here: the host gives pages
// when they are used, and clears them then.
constexpr std::size_t kFilled = std::size_t{64} << 10;
// A range is closed and opened by a system call each, some 1 us, and its pages cost 1 us for each 100. This bounds what
// a program spends for it to some 100 ms.
constexpr std::size_t kMostClosedRanges = 20'000;
constexpr std::size_t kMostClosedBytes = std::size_t{4} << 30;

}  // namespace

bool GlobalHeap::may_map() const {
  const base::Lock lock(mutex_);
  return mapped_ + kept_.size() < kMostMapped;
}

/// Pages for `entry`, if there are some. True if they are fresh and hold zeroes.
bool GlobalHeap::take_range(Entry& entry) {
  const std::size_t used = whole_pages(entry.range_bytes);
  {
    const base::Lock lock(mutex_);
    entry.range = kept_.take(used);
  }
  if (entry.range != nullptr || !may_map()) return false;
  entry.range = take(used);
  if (entry.range == nullptr && give_back_kept() != 0) entry.range = take(used);
  if (entry.range == nullptr) return false;
  prefer_huge_pages(entry.range, used);
  return true;
}

std::size_t GlobalHeap::give_back_kept() {
  const base::Lock lock(mutex_);
  return kept_.give_back_all();
}

void* GlobalHeap::allocate(std::size_t bytes, const Birth& birth) {
  const std::size_t rounded = (bytes + kGlobalAlignment - 1) / kGlobalAlignment * kGlobalAlignment;
  if (rounded < bytes || rounded + kAround < rounded) return nullptr;
  Entry entry{bytes, nullptr, rounded + kGlobalAlignment, true};
  const bool is_fresh = take_range(entry);
  if (entry.range == nullptr)
    entry = Entry{bytes, pieces_.take(rounded + kAround, kGlobalAlignment), rounded + kAround, false};
  if (entry.range == nullptr) return nullptr;
  char* base = entry.mapped ? entry.range + whole_pages(entry.range_bytes) - rounded : entry.range + kGlobalAlignment;
  if (birth.kind != ObjectKind::managed) {
    poison(base - kGlobalAlignment, fills_all_.load() ? entry.range_bytes : std::min(entry.range_bytes, kFilled));
  } else if (!is_fresh) {
    // The host may read it before anybody has written, and finds the zeroes of fresh pages on every system.
    std::memset(base, 0, bytes);
  }
  add_object(base, bytes, birth);
  entry.closes = birth.closes && entry.mapped;
  const base::Lock lock(mutex_);
  if (entry.closes) may_close_.store(true, std::memory_order_relaxed);
  live_.emplace(base, entry);
  mapped_ += entry.mapped;
  return base;
}

void GlobalHeap::free(void* memory, const void* freed_by) {
  const base::Lock lock(mutex_);
  const auto found = live_.find(static_cast<const char*>(memory));
  WARPFIBER_CONTRACT(found != live_.end(), "only memory of this heap is given back to it");
  const Entry& entry = found->second;
  free_object(memory, freed_by);
  if (entry.mapped) {
    const std::size_t used = whole_pages(entry.range_bytes);
    // A checked program gets reports of uses of what was freed, so others get these addresses as late as possible.
    if (fills_all_.load() || !kept_.keep(entry.range, used)) give_back(entry.range, used);
    --mapped_;
  } else {
    pieces_.give_back(entry.range, entry.range_bytes);
  }
  live_.erase(found);
}

std::optional<Allocation> GlobalHeap::find(const void* address) const {
  const char* place = static_cast<const char*>(address);
  const base::Lock lock(mutex_);
  auto after = live_.upper_bound(place + kGlobalRedZone);
  if (after == live_.begin()) return std::nullopt;
  const auto& [base, entry] = *std::prev(after);
  if (place + kGlobalRedZone < base || place >= base + entry.bytes + kGlobalRedZone) return std::nullopt;
  return Allocation{base, entry.bytes};
}

bool GlobalHeap::set_rights(Entry& entry, bool closed) {
  const int rights = closed ? PROT_NONE : PROT_READ | PROT_WRITE;
  if (::mprotect(entry.range, whole_pages(entry.range_bytes), rights) != 0) return false;
  entry.closed = closed;
  return true;
}

void GlobalHeap::close() {
  const base::Lock lock(mutex_);
  closed_.store(true);
  // Whoever has come meanwhile sees that and waits for the mutex, or is seen here.
  if (MemoryState::of_process().device_users.load() > 1) return;
  may_close_.store(false, std::memory_order_relaxed);
  for (auto& [base, entry] : live_) {
    if (!entry.closes || entry.closed) continue;
    if (closed_ranges_ >= kMostClosedRanges || closed_bytes_ >= kMostClosedBytes || !set_rights(entry, true)) return;
    ++closed_ranges_;
    closed_bytes_ += entry.range_bytes;
  }
}

void GlobalHeap::open() {
  const base::Lock lock(mutex_);
  for (auto& [base, entry] : live_) {
    if (!entry.closed) continue;
    WARPFIBER_CONTRACT(set_rights(entry, false), "pages that were accessible become so again");
    may_close_.store(true, std::memory_order_relaxed);
  }
  closed_.store(false);
}

bool GlobalHeap::is_closed(const void* address) const {
  const char* place = static_cast<const char*>(address);
  const base::Lock lock(mutex_);
  // An allocation lies at the end of its pages, less than two pages behind their beginning.
  const auto at = live_.upper_bound(place + 2 * whole_pages(1));
  for (auto near = at; near != live_.begin();) {
    const Entry& entry = (--near)->second;
    if (!entry.mapped) return false;
    if (place >= entry.range + whole_pages(entry.range_bytes)) return false;
    if (place >= entry.range) return entry.closed;
  }
  return false;
}

GlobalHeap& global_heap() {
  return MemoryState::of_process().global_heap.get();
}

}  // namespace warpfiber::memory
