// SPDX-License-Identifier: Apache-2.0
// Global memory of the simulated devices: pages of the device space with red zones around every allocation, and a
// register of what is allocated, so that what any address belongs to can be found. Any thread may call.
// Behind an allocation, rounded up to its alignment, lies a page that nobody can touch. Only where a program has more
// allocations than the host gives mappings for do the others share mappings.
#pragma once

#include <atomic>
#include <cstddef>
#include <map>
#include <optional>

#include "base/locks/annotated_mutex.hpp"
#include "memory/free_ranges.hpp"
#include "memory/kept_ranges.hpp"
#include "memory/objects.hpp"

namespace warpfiber::memory {

struct Allocation {
  const char* base;
  std::size_t bytes;
};

class GlobalHeap {
 public:
  /// `bytes` of memory, aligned to 512 as cudaMalloc's, and an object; null where the host has none. Its first 64 KiB
  /// are poisoned, all of it after check(). Behind them is what the host gives, or what was there when the same pages
  /// were freed. Managed memory holds zeroes.
  void* allocate(std::size_t bytes, const Birth& birth = {});
  /// `memory` came from allocate(); `freed_by` is what the user's call returns to.
  void free(void* memory, const void* freed_by = nullptr);
  /// The allocation that `address` lies in or in whose red zones it lies.
  std::optional<Allocation> find(const void* address) const;

  /// Allocations that were made to close, in pages of their own, fault from now on, until open(). Only while nothing
  /// but the calling OS thread may use them (device_use.hpp). After kMostClosed ranges or bytes it does nothing more.
  void close();
  void open();
  /// Whether close() has anything to do, and whether open() has. Any thread, without a lock.
  bool may_close() const { return may_close_.load(std::memory_order_relaxed); }
  bool is_closed() const { return closed_.load(); }
  /// Whether an access to `address` faults because of close().
  bool is_closed(const void* address) const;

  /// The program is checked: memory is poisoned as a whole, and what is freed is not used again.
  void check() { fills_all_.store(true); }
  /// Pages that were freed and kept go back to the host; returns how many ranges.
  std::size_t give_back_kept();

 private:
  bool may_map() const;

  struct Entry {
    std::size_t bytes;
    char* range;
    std::size_t range_bytes;  // asked for
    bool mapped;              // in pages of its own
    bool closes = false;
    bool closed = false;
  };

  bool set_rights(Entry& entry, bool closed);

  bool take_range(Entry& entry);

  std::atomic<bool> fills_all_{false};
  std::atomic<bool> may_close_{false};
  std::atomic<bool> closed_{false};  // some entries may be; written under the mutex
  mutable base::Mutex mutex_;
  std::map<const char*, Entry> live_ WARPFIBER_GUARDED_BY(mutex_);
  KeptRanges kept_ WARPFIBER_GUARDED_BY(mutex_);
  std::size_t closed_ranges_ WARPFIBER_GUARDED_BY(mutex_) = 0;  // so far, one as often as it was
  std::size_t closed_bytes_ WARPFIBER_GUARDED_BY(mutex_) = 0;
  std::size_t mapped_ WARPFIBER_GUARDED_BY(mutex_) = 0;  // of them, those in pages of their own
  Pieces pieces_;                                        // the others; has a mutex of its own
};

/// The heap of this process.
GlobalHeap& global_heap();

}  // namespace warpfiber::memory
