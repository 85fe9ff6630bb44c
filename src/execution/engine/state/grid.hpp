// SPDX-License-Identifier: Apache-2.0
// One launch while it runs: what its workers share. Immutable parts are set before the first worker starts; the rest is
// atomic or under `mutex`.
#pragma once

#include <warpfiber/detail/notice_board.hpp>
#include <warpfiber/detail/thread_set.hpp>
#include <warpfiber/detail/vector_types.hpp>

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "base/locks/annotated_mutex.hpp"
#include "base/thread_modes.hpp"
#include "engine/request/grid_request.hpp"
#include "engine/state/multi_grid.hpp"
#include "machine/rendezvous.hpp"
#include "record/finding.hpp"
#include "record/launch_order.hpp"
#include "record/observer.hpp"
#include "schedule/options.hpp"

namespace warpfiber::engine {

class Liveness;
struct Grid;
struct WorkerState;

/// What votes have found in the memory that threads of a launch share (liveness/voting.cpp).
struct StillMemory {
  std::uint64_t hash = 0;  // at the last vote that has looked at it; 0: none has
  std::uint64_t gain = 0;  // of all workers then
  bool is_proven = false;  // it was the same at two of them
  unsigned changes = 0;    // in a row that votes have found
  unsigned votes_to_skip = 0;
};

/// Accesses that the processor has refused at one instruction, and that were left out.
struct LeftOutFault {
  const void* instruction = nullptr;
  const WorkerState* on = nullptr;
  record::Finding finding{};
};

struct Grid {
  explicit Grid(const GridRequest& wanted);

  bool stopped() const { return stop.load(std::memory_order_relaxed); }
  /// Keeps the first finding and makes every worker leave the launch. `on`: the worker on whose fiber it was made,
  /// which names the memory that it is about once it has left the fiber.
  void fail(record::Finding finding, const WorkerState* on = nullptr) WARPFIBER_EXCLUDES(mutex);
  /// The launch has failed, but goes on without the access.
  void note_left_out(LeftOutFault fault) WARPFIBER_EXCLUDES(mutex);
  /// What fails a launch that has run to its end.
  void fail_with_left_out() WARPFIBER_REQUIRES(mutex);
  /// Ends the launch without a finding, for reasons of others. Any thread may call.
  void cancel() WARPFIBER_EXCLUDES(mutex);
  /// The time that the process was given is over: ends the launch with a finding that says where its threads are. Any
  /// thread may call.
  void end_time() WARPFIBER_EXCLUDES(mutex);
  /// Room for further clusters.
  void receive_places(std::uint64_t places) WARPFIBER_EXCLUDES(mutex);
  /// Nothing gets on for the watchdog's time, and nothing outside can help: the same with a finding that says so.
  void end_as_dead() WARPFIBER_EXCLUDES(mutex);
  /// Whether the worker takes part and does not sleep.
  bool is_awake(std::size_t worker) const WARPFIBER_EXCLUDES(mutex);
  /// Sum over the workers of everything that may free a thread that spins.
  std::uint64_t total_progress() const;
  /// The same without the meetings of threads: those free nobody but who takes part.
  std::uint64_t total_gain() const;
  /// Every block has come to a barrier over grids of several devices that had `phase` phases before.
  bool waits_for_grids(std::uint64_t phase) const { return request.multi != nullptr && multi_barrier.phase() > phase; }
  /// Something happened that may let an idle worker go on.
  void notify() WARPFIBER_EXCLUDES(mutex);

  const GridRequest& request;
  const std::uint64_t blocks;
  const unsigned threads;  // of a block
  const unsigned cluster_blocks;
  const std::uint64_t number;  // among the launches of the process, from 1

  std::atomic<std::uint64_t> next_cluster{0};
  const std::uint64_t clusters;
  const std::uint64_t most_places;        // for resident clusters that the launch can ever use
  std::atomic<std::int64_t> free_places;  // for further resident clusters
  std::atomic<std::int64_t> held_places;  // in all, where the device is shared
  std::atomic<bool> stop{false};
  std::atomic<bool> cancelled{false};
  std::atomic<bool> time_over{false};    // every worker comes to rest, and the last one says where all threads are
  std::atomic<bool> may_be_dead{false};  // so the watchdog says: a worker asks who could help
  std::atomic<bool> dead{false};         // why the time is over
  std::once_flag liveness_made;
  std::shared_ptr<Liveness> liveness;     // liveness/liveness.hpp
  std::atomic<std::uint64_t> printed{0};  // texts of printf()
  std::atomic<std::uint64_t> ended_by_time{0};
  std::atomic<unsigned> static_shared{0};
  std::atomic<std::uint64_t> barriers{0};
  std::atomic<std::uint64_t> progress_of_ended{0};  // of workers that have left

  // The grid barrier: one arrival a block.
  machine::SharedRendezvous barrier;
  std::atomic<bool> grid_barriers{false};  // some thread has come to it
  bool is_empty = false;                   // see GridOutcome; written by worker 0 at its end
  std::atomic<bool> barrier_split{false};  // some thread goes on before this phase of it ends
  // One a block, for what blocks publish to each other; made when the first of them asks.
  std::once_flag notices_made;
  std::unique_ptr<detail::Notice[]> notices;
  // The barrier over grids of several devices: one arrival a block, too.
  machine::SharedRendezvous multi_barrier;
  // Of groups of threads of several blocks.
  std::vector<std::unique_ptr<detail::WideMeeting[]>> wide_meetings WARPFIBER_GUARDED_BY(mutex);

  // Idle workers.
  mutable base::Mutex mutex;
  base::Condition wake;
  std::atomic<unsigned> idle{0};
  std::atomic<unsigned> circling{0};  // workers on which nothing but spinning happens
  // A vote on whether the launch is stuck (liveness/voting.cpp).
  std::atomic<bool> voting{false};
  std::uint64_t vote WARPFIBER_GUARDED_BY(mutex) = 0;       // counts votes
  unsigned agreed WARPFIBER_GUARDED_BY(mutex) = 0;          // workers that have, in this one
  std::uint64_t vote_gain WARPFIBER_GUARDED_BY(mutex) = 0;  // of all workers, when it was opened
  StillMemory still_memory WARPFIBER_GUARDED_BY(mutex);
  unsigned active WARPFIBER_GUARDED_BY(mutex) = 0;
  unsigned resting WARPFIBER_GUARDED_BY(mutex) = 0;      // workers that have come to rest because the time is over
  unsigned looks WARPFIBER_GUARDED_BY(mutex) = 0;        // of a launch that stands still and waits for others
  std::uint64_t events WARPFIBER_GUARDED_BY(mutex) = 0;  // counts notify()
  std::vector<WorkerState*> workers;                     // set before the first one starts
  std::optional<record::Finding> finding WARPFIBER_GUARDED_BY(mutex);
  const WorkerState* failed_on WARPFIBER_GUARDED_BY(mutex) = nullptr;  // the worker given to fail()
  std::vector<record::Finding> findings WARPFIBER_GUARDED_BY(mutex);
  std::uint64_t findings_dropped WARPFIBER_GUARDED_BY(mutex) = 0;
  std::vector<LeftOutFault> left_out_faults WARPFIBER_GUARDED_BY(mutex);
  schedule::Recording decisions WARPFIBER_GUARDED_BY(mutex);
};

/// For which launches it is kept where blocks have returned that are over (WorkerState::left). Others may wait for them
/// for ever. Blocks of a cooperative launch are resident all at once, and few.
inline bool keeps_left_blocks(const Grid& grid) {
  constexpr std::uint64_t kMostBlocks = 1024;
  return grid.request.cooperative || grid.blocks <= kMostBlocks;
}

}  // namespace warpfiber::engine
