// SPDX-License-Identifier: Apache-2.0
// What is recorded of the launches and streams of a process. The clock of a trace counts events: a step is one event,
// of whatever launch or stream, in the order in which they happened. Any thread may add; who reads meanwhile holds it.
#pragma once

#include <warpfiber/detail/site.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "base/locks/annotated_mutex.hpp"
#include "record/finding.hpp"
#include "record/stream_observer.hpp"
#include "trace/watch/values.hpp"

namespace warpfiber::trace {

// How much a trace keeps. What is beyond is counted as left out.

// Accesses of one thread by one instruction between two barriers of its block; of further ones only the number is kept.
inline constexpr std::uint32_t kEachThread = 8;
inline constexpr std::size_t kEventsOfBlock = std::size_t{1} << 16;   // accesses
inline constexpr std::size_t kEventsOfOthers = std::size_t{1} << 18;  // of the blocks that are in no sample yet
inline constexpr std::size_t kSeenBytes = std::size_t{64} << 20;      // to distinguish accesses from repetitions
inline constexpr std::size_t kKeptEvents = std::size_t{1} << 20;      // of the process
inline constexpr std::size_t kBlocksOfFindings = 8;                   // of a launch
inline constexpr std::size_t kAreasOfBlock = 64;
inline constexpr std::size_t kResidencies = std::size_t{1} << 16;      // of a launch
inline constexpr std::size_t kKeptResidencies = std::size_t{1} << 20;  // of the process
inline constexpr std::size_t kLaunches = 10'000;
inline constexpr std::size_t kOperations = std::size_t{1} << 16;  // of streams

using TraceStep = std::uint64_t;

enum class TraceEventKind : std::uint8_t {
  threads_begin,
  threads_end,
  release,
  access,
  fence,
  arrive,
  wait,
  phase_end
};

inline constexpr std::uint8_t kReads = 1;
inline constexpr std::uint8_t kWrites = 2;
inline constexpr std::uint8_t kAtomic = 4;
inline constexpr std::uint8_t kVolatile = 8;
inline constexpr std::uint8_t kShared = 16;    // of the block's own shared memory: the address counts from its begin
inline constexpr std::uint8_t kHasValue = 32;  // of a load

struct TraceEvent {
  TraceStep step = 0;
  TraceStep last = 0;         // of the repetitions of an access
  std::uint64_t address = 0;  // of an access; of a release the lanes that were released, 0: all threads of the block
  std::uint64_t value = 0;    // what an access reads
  std::uint32_t thread = 0;   // by rank; of threads that begin or end the first; of lanes their warp
  std::uint32_t count = 0;    // bytes of an access; threads that begin, end or are released
  std::uint32_t site = 0;     // in TraceSites
  std::uint32_t repeats = 0;  // further accesses of the thread there, up to the next barrier
  std::uint32_t spins = 0;    // of those, at the same address
  TraceEventKind kind = TraceEventKind::access;
  std::uint8_t flags = 0;
  record::Width width = record::Width::block;  // of a release
};

/// Where events come from: instructions that access memory, and calls at which threads meet.
struct TraceSite {
  const void* instruction = nullptr;  // the one after; null: `site` says where
  Site site{};
  std::uint64_t reads = 0;  // by all blocks of the launch, also by those of which nothing else is kept
  std::uint64_t writes = 0;
};

/// An object that accesses of a block reach.
struct TraceArea {
  std::uint64_t address = 0;  // of shared memory: from its begin
  std::uint64_t bytes = 0;
  bool shared = false;
  std::string name{};  // empty: an allocation
  std::string type{};
  const void* made_by = nullptr;  // what the call that allocated it returns to; null: not known
};

struct BlockTrace {
  std::uint64_t rank = 0;
  unsigned slot = 0;
  TraceStep begin = 0;
  TraceStep end = 0;           // 0: the launch ended before
  std::uint64_t left_out = 0;  // accesses
  std::vector<TraceEvent> events{};
  std::vector<TraceArea> areas{};        // in the order of the first access
  std::vector<WatchedValues> watched{};  // by expression
};

/// A block of which only this is known.
struct BlockResidency {
  std::uint64_t rank = 0;
  unsigned slot = 0;
  TraceStep begin = 0;
  TraceStep end = 0;
};

/// What one worker has recorded of a launch.
struct WorkerTrace {
  unsigned worker = 0;
  std::vector<TraceSite> sites{};
  std::vector<BlockTrace> blocks{};  // that are kept, by rank
  std::vector<BlockResidency> residencies{};
  std::uint64_t accesses = 0;
  std::uint64_t left_out_blocks = 0;    // that ran, of which no events are kept
  std::uint64_t left_out_accesses = 0;  // of blocks that are kept
  std::uint64_t left_out_residencies = 0;
};

struct LaunchTrace {
  record::LaunchFacts facts{};
  const void* kernel = nullptr;
  std::uint64_t number = 0;  // of its operation; 0: not known
  std::uint64_t stream = 0;
  TraceStep begin = 0;
  TraceStep end = 0;  // 0: runs
  std::vector<record::Verdict> found{};
  std::vector<WatchedExpression> watched{};
  std::vector<WorkerTrace> workers{};
};

struct OperationTrace {
  record::StreamOperation operation{};
  TraceStep submitted = 0;
  TraceStep begin = 0;  // 0: not yet
  TraceStep end = 0;
};

class Trace final : public record::StreamObserver {
 public:
  TraceStep next_step() { return steps_.fetch_add(1, std::memory_order_relaxed) + 1; }
  TraceStep steps() const { return steps_.load(std::memory_order_relaxed); }

  void operation_submitted(const record::StreamOperation& operation) override;
  void operation_begins(const record::StreamOperation& operation) override;
  void operation_ends(const record::StreamOperation& operation) override;

  /// Adds what a worker has recorded of the launch that `launch` is, which may be known from another worker.
  void add(LaunchTrace&& launch, WorkerTrace&& worker);

  /// While it is held, nothing is added.
  base::Mutex& mutex() const WARPFIBER_RETURNS_MUTEX(mutex_) { return mutex_; }

  const std::vector<LaunchTrace>& launches() const WARPFIBER_REQUIRES(mutex_) { return launches_; }
  const std::vector<OperationTrace>& operations() const WARPFIBER_REQUIRES(mutex_) { return operations_; }
  std::uint64_t left_out_launches() const WARPFIBER_REQUIRES(mutex_) { return left_out_launches_; }
  std::uint64_t left_out_operations() const WARPFIBER_REQUIRES(mutex_) { return left_out_operations_; }

 private:
  OperationTrace* find(const record::StreamOperation& operation) WARPFIBER_REQUIRES(mutex_);
  LaunchTrace* launch_of(LaunchTrace&& launch) WARPFIBER_REQUIRES(mutex_);
  void thin(WorkerTrace& worker, bool found_any) WARPFIBER_REQUIRES(mutex_);

  std::atomic<TraceStep> steps_{0};
  mutable base::Mutex mutex_;
  std::vector<LaunchTrace> launches_ WARPFIBER_GUARDED_BY(mutex_);
  std::vector<OperationTrace> operations_ WARPFIBER_GUARDED_BY(mutex_);
  std::map<std::uint64_t, std::size_t> open_operations_ WARPFIBER_GUARDED_BY(mutex_);  // by number
  std::size_t kept_events_ WARPFIBER_GUARDED_BY(mutex_) = 0;
  std::size_t kept_residencies_ WARPFIBER_GUARDED_BY(mutex_) = 0;
  std::uint64_t left_out_launches_ WARPFIBER_GUARDED_BY(mutex_) = 0;
  std::uint64_t left_out_operations_ WARPFIBER_GUARDED_BY(mutex_) = 0;
};

}  // namespace warpfiber::trace
