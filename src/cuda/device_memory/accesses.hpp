// SPDX-License-Identifier: Apache-2.0
// The one place where the checker hears what the host program does to memory: copies and fills when their turn in their
// stream has come, allocations and frees. The process has at most one watcher; without one nothing is computed for it.
// Any thread may call.
#pragma once

#include <cstddef>

#include "device_memory/copies.hpp"
#include "device_memory/table.hpp"
#include "record/launch_order.hpp"
#include "record/stream_observer.hpp"

namespace warpfiber::device_memory {

/// A copy, or a fill where `from.at` is null: what it reads and writes, and which bytes are defined by it. One end may
/// be memory of the host that no device knows.
struct Transfer {
  process::CopyPlace to{};
  process::CopyPlace from{};
  process::Box box{};
  record::OperationFacts operation{};  // of which it is
};

/// Is called before each operation takes effect, by the threads that run streams and by those of the program, maybe by
/// several at the same time. `order` says which calls of the program they were and what orders them;
/// it stands for the same operation as the engine's GridRequest::order of a launch.
class AccessWatcher {
 public:
  AccessWatcher() = default;
  AccessWatcher(const AccessWatcher&) = delete;
  AccessWatcher& operator=(const AccessWatcher&) = delete;

  virtual void transfer(const Transfer& transfer, const record::LaunchOrder& order) = 0;
  /// The program has got the memory. What is in it is not defined, but of managed memory.
  virtual void allocation(const void* base, std::size_t bytes) = 0;
  /// Of memory that a stream allocates, after allocation(): from `order` on, and not before, it may be used.
  virtual void allocation_in_stream(const void* base, std::size_t bytes, const record::LaunchOrder& order) = 0;
  /// Memory of the host's own is registered, so that devices reach it, and is no more.
  virtual void registration(const void* base, std::size_t bytes) = 0;
  virtual void unregistration(const void* base, std::size_t bytes) = 0;
  /// From `order` on the memory may not be used any more, and what uses it has to be ordered before.
  virtual void release(const void* base, std::size_t bytes, const record::LaunchOrder& order) = 0;

 protected:
  ~AccessWatcher() = default;
};

/// Calls `watcher` from now on, until another one is set; null: none. Not while streams have work.
void watch_accesses(AccessWatcher* watcher);

/// The watcher; null: none, as in a child of a process that uses CUDA.
AccessWatcher* access_watcher();

/// Notes memory that the calling OS thread of the program has allocated, without a stream.
void note_allocation(const void* base, std::size_t bytes);

/// Notes that memory of the host's own is registered, or no more.
void note_registration(const void* base, std::size_t bytes);
void note_unregistration(const void* base, std::size_t bytes);

/// Notes that the block at `memory` is released, frees it as table.hpp's release() does and returns what that does.
/// `order`: of the operation that releases it; null: the calling OS thread of the program does.
Error note_release_and_free(void* memory, MemoryKind kind, MemoryKind or_kind,
                            const record::LaunchOrder* order = nullptr);

}  // namespace warpfiber::device_memory
