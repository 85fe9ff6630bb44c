// SPDX-License-Identifier: Apache-2.0
// What commands of the host program, and the program itself, have done to device memory lately, for kernels and
// commands that get there later and that nothing orders behind it. The oldest are forgotten where there are many: a
// conflict then goes unseen. One register for the process; any thread may call.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "base/locks/annotated_mutex.hpp"
#include "launches/checking/touches.hpp"
#include "record/launch_order.hpp"
#include "record/stream_observer.hpp"

namespace warpfiber::launches {

enum class HostActor {
  command,     // a copy or a fill
  allocation,  // in a stream: what comes before it uses memory that is not there yet
  release,     // a free
  program,     // a line of the program itself
};

/// One access of the host's to an area.
struct HostAccess {
  HostActor actor = HostActor::command;
  Area area{};
  bool write = false;
  const void* returns_to = nullptr;                  // the instruction after it
  std::shared_ptr<const record::LaunchOrder> order;  // its place among the program's operations
  record::OperationFacts operation{};                // of which it is; of the program's own access nothing
};

class HostAccesses {
 public:
  static constexpr std::size_t kMost = 1024;

  /// One that goes on where the last one of the same instruction ended makes that one longer.
  void add(const HostAccess& access);
  /// Adds a free, which takes the place of what was there in its memory, and returns what nothing orders before or
  /// behind it. In one step: a command of another stream that is added meanwhile is returned, or finds the free.
  std::vector<HostAccess> add_release(const HostAccess& release);
  /// Nothing is known of the memory any more: it was freed, or is new.
  void forget(const void* base, std::size_t bytes);
  /// What the program itself did so far is known to kernels that wait for a word of it.
  void forget_program();
  /// Those that nothing orders before or behind the operation.
  std::vector<HostAccess> concurrent_with(const record::LaunchOrder& operation) const;
  /// How many commands have been added. Without a lock.
  std::uint64_t commands() const { return commands_.load(std::memory_order_acquire); }

 private:
  void push(const HostAccess& access) WARPFIBER_REQUIRES(mutex_);
  void erase(const char* begin, std::size_t bytes) WARPFIBER_REQUIRES(mutex_);
  std::vector<HostAccess> unordered_with(const record::LaunchOrder& operation) const WARPFIBER_REQUIRES(mutex_);

  mutable base::Mutex mutex_;
  std::atomic<std::uint64_t> commands_{0};
  std::deque<HostAccess> all_ WARPFIBER_GUARDED_BY(mutex_);
};

HostAccesses& host_accesses();

}  // namespace warpfiber::launches
