// SPDX-License-Identifier: Apache-2.0
// One launch while it runs: what its workers share. Immutable parts are set before the first worker starts; the rest is
// atomic or under `mutex`.
#pragma once

#include <warpfiber/detail/notice_board.hpp>
#include <warpfiber/detail/thread_set.hpp>
#include <warpfiber/detail/vector_types.hpp>

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "base/float_mode.hpp"
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

/// How a launch was seen to stand still.
struct StallState {
  bool spinning = false;          // threads read memory again and again; else blocks wait for room, or for grids
  std::uint64_t multi_phase = 0;  // of the barrier over grids of several devices, none of which it left unnoticed
};

/// What a launch shares its device with: other launches, and whoever else may change the memory that its threads read.
/// The layer above implements it; a launch without one has the device to itself. Called by workers on their own stacks,
/// never with the grid's mutex held.
class DeviceShare {
 public:
  DeviceShare() = default;
  DeviceShare(const DeviceShare&) = delete;
  DeviceShare& operator=(const DeviceShare&) = delete;

  /// The launch is about to start with the places it was granted; Grid::receive_places may bring it more from now on.
  virtual void begin(Grid& grid) = 0;
  /// No worker is left; the grid is about to go.
  virtual void end(Grid& grid) = 0;
  /// Room for `places` resident clusters that the launch has no use for any more.
  virtual void give_back(std::uint64_t places) = 0;
  /// Nothing on any worker gets on. False where somebody outside can still change that: the launch then goes on
  /// looking, or waits to be notified, and asks again after a while.
  virtual bool cannot_progress(const StallState& seen) = 0;
  /// Whether somebody outside can still change the memory that the launch reads: another launch that gets on, or the
  /// host.
  virtual bool can_be_helped() = 0;
  /// Adds to a finding about a launch that stands still what those outside do.
  virtual void explain(record::Finding& finding) const = 0;

 protected:
  ~DeviceShare() = default;
};

/// Which lanes find themselves together (docs/semantics.md, "Convergence"). random_masks: some of them for
/// __activemask() and coalesced_threads(), all of them for what has no mask.
enum class Convergence { full, random, random_masks, none };

/// Where the body of a kernel is defined, as the translator says; null and 0 of others.
struct KernelBody {
  const char* file = nullptr;
  unsigned first_line = 0;
  unsigned last_line = 0;          // of its closing brace
  bool ends_without_call = false;  // no function that it calls is the last thing that it does
};

/// What a launch is, as the layer above has checked it.
struct GridRequest {
  dim3 grid;
  dim3 block;
  dim3 cluster;
  std::size_t dynamic_shared = 0;
  bool cooperative = false;
  bool automatic = false;  // cooperative where that was possible, where it was unknown whether the kernel needs it
  unsigned warp_size = 32;
  void (*run_threads)() = nullptr;  // the life of a fiber that runs this kernel's threads
  // Runs a whole block on the stack of its caller, which needs so much more for it; null: none does. Some run only
  // blocks of one row of threads or of rows of whole warps (WarpfiberRegions in <warpfiber/detail/regions.hpp>).
  unsigned (*run_block)(const void* closure) = nullptr;
  std::size_t run_block_stack = 0;
  bool run_block_by_whole_rows = false;
  const void* closure = nullptr;
  std::size_t closure_bytes = 0;  // 0: not known
  bool (*is_grid_constant)(const void* closure, const void* address) = nullptr;
  KernelBody body;
  int device = 0;                       // CUDA's number
  MultiGrid* multi = nullptr;           // where grids of several devices were launched together
  unsigned multi_rank = 0;              // among those
  DeviceShare* device_share = nullptr;  // null: the launch is alone
  std::uint64_t granted_places = 0;     // for clusters, of those that resident_blocks says; all where it is alone
  std::uint64_t resident_blocks = 1;    // how many the device holds at once
  std::size_t stack_bytes = 64 * 1024;
  unsigned workers = 1;
  unsigned static_shared_limit = 48 * 1024;
  unsigned watchdog_seconds = 30;
  Convergence convergence = Convergence::full;
  schedule::PolicyOptions policy;
  bool record_decisions = false;
  bool repeatable = false;                                // one worker was asked for, so that a run can be repeated
  std::uint64_t clock_start = 0;                          // of a repeatable launch: what clock64() counts from
  record::ObserverFactory* checker = nullptr;             // of accesses, which need one worker; null: not checked
  std::span<record::ObserverFactory* const> observers{};  // others
  record::CheckRequest check;                             // where it is checked
  base::FloatMode host_floats;                            // of the thread that asked for the launch
  record::LaunchFacts facts;
  const void* kernel = nullptr;  // as the program names it in a launch
  record::LaunchOrder order;     // number 0: unknown

  bool checked() const { return checker != nullptr; }
  /// Whether other threads may run before each access of the running one, as lanes of a warp do theirs at once.
  bool steps_at_accesses() const { return policy.kind == schedule::PolicyKind::lock_step; }
};

/// What came of it.
struct GridOutcome {
  std::optional<record::Finding> finding;
  bool cancelled = false;      // by cancel(), without a finding
  unsigned static_shared = 0;  // bytes of static shared memory that some block used
  bool grid_barriers = false;  // some thread came to one
  std::uint64_t barriers = 0;  // phases of block, cluster and grid barriers that were completed
  schedule::Recording decisions;
  std::vector<record::Finding> hazards{};  // what checks found on the way; none of them ended the launch
  std::uint64_t hazards_dropped = 0;       // kinds of them beyond what a launch keeps
  std::uint64_t ended_by_time = 0;         // turns of threads, by the time that they took and not by what they did
  bool is_empty = false;                   // the kernel's code does nothing but return
  bool has_printed = false;                // some thread called printf()
};

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
  void fail(record::Finding finding, const WorkerState* on = nullptr);
  /// The launch has failed, but goes on without the access.
  void note_left_out(LeftOutFault fault);
  /// What fails a launch that has run to its end.
  void fail_with_left_out();
  /// Ends the launch without a finding, for reasons of others. Any thread may call.
  void cancel();
  /// The time that the process was given is over: ends the launch with a finding that says where its threads are. Any
  /// thread may call.
  void end_time();
  /// Room for further clusters.
  void receive_places(std::uint64_t places);
  /// Nothing gets on for the watchdog's time, and nothing outside can help: the same with a finding that says so.
  void end_as_dead();
  /// Whether the worker takes part and does not sleep.
  bool is_awake(std::size_t worker) const;
  /// Sum over the workers of everything that may free a thread that spins.
  std::uint64_t total_progress() const;
  /// The same without the meetings of threads: those free nobody but who takes part.
  std::uint64_t total_gain() const;
  /// Every block has come to a barrier over grids of several devices that had `phase` phases before.
  bool waits_for_grids(std::uint64_t phase) const { return request.multi != nullptr && multi_barrier.phase() > phase; }
  /// Something happened that may let an idle worker go on.
  void notify();

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
  // Of groups of threads of several blocks; under mutex.
  std::vector<std::unique_ptr<detail::WideMeeting[]>> wide_meetings;

  // Idle workers.
  mutable std::mutex mutex;
  std::condition_variable wake;
  std::atomic<unsigned> idle{0};
  std::atomic<unsigned> circling{0};  // workers on which nothing but spinning happens
  // A vote on whether the launch is stuck (liveness/voting.cpp); all but the first under mutex.
  std::atomic<bool> voting{false};
  std::uint64_t vote = 0;       // counts votes
  unsigned agreed = 0;          // workers that have, in this one
  std::uint64_t vote_gain = 0;  // of all workers, when it was opened
  StillMemory still_memory;
  unsigned active = 0;
  unsigned resting = 0;      // workers that have come to rest because the time is over; under mutex
  unsigned looks = 0;        // of a launch that stands still and waits for others; under mutex
  std::uint64_t events = 0;  // under mutex; counts notify()
  std::vector<WorkerState*> workers;
  std::optional<record::Finding> finding;
  const WorkerState* failed_on = nullptr;  // the worker given to fail(); under mutex
  std::vector<record::Finding> hazards;
  std::uint64_t hazards_dropped = 0;
  std::vector<LeftOutFault> left_out_faults;  // under mutex
  schedule::Recording decisions;
};

}  // namespace warpfiber::engine
