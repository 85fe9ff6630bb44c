// SPDX-License-Identifier: Apache-2.0
// What the parts of a worker share: the launch, the blocks that are resident, the fibers, and who runs. A worker runs
// blocks on one OS thread; other workers, and reports, may look at its state while it sleeps.
// Invariants: a resident block, its threads and its cluster never leave their worker. While lists change,
// current_thread.busy is set. Exactly one fiber is running or the OS thread's own stack is.
#pragma once

#include <warpfiber/detail/current_thread.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "base/ids.hpp"
#include "base/random.hpp"
#include "engine/state/admission.hpp"
#include "engine/state/block.hpp"
#include "engine/state/circles/interrupted_fibers.hpp"
#include "engine/state/circles/meeting_count.hpp"
#include "engine/state/grid.hpp"
#include "engine/state/policy_queue.hpp"
#include "engine/state/release_count.hpp"
#include "fiber/stacks.hpp"
#include "record/finding.hpp"
#include "record/observer.hpp"

namespace warpfiber::engine {

// How many accesses a launch has left out, and whether it may (engine/leaving_out).

/// A launch ends at the next access that a device refuses, when it has left out so many.
inline constexpr std::uint64_t kMostLeftOut = 50'000;

struct LeftOut {
  bool is_allowed = false;  // else the launch ends at the first access that a device refuses
  std::uint64_t count = 0;
};

/// The shared memory of blocks that a cluster does not have. As on the device, a rank that is too large is no error
/// until a thread accesses what it stands for; the report then has both lines. Of one worker.
class MissingBlock {
 public:
  void forget() { finding_.reset(); }

  /// An address that `finding` is about: an access to it, or to what follows, faults.
  char* memory_for(record::Finding finding, record::Observer& observer);

  /// What was found when an address was made that no block of the cluster has; null for other addresses.
  const record::Finding* at(const void* address) const;

 private:
  std::optional<record::Finding> finding_;
};

class LoopLooks;
struct WorkerState {
  WorkerState() : written(detail::kWrittenWords) {}
  WorkerState(const WorkerState&) = delete;
  WorkerState& operator=(const WorkerState&) = delete;

  /// The worker of this OS thread while it runs kernels, else null.
  static WorkerState* current() { return static_cast<WorkerState*>(detail::current_thread.worker); }

  Grid& grid() const { return *launch; }
  /// The one that a thread of runs.
  ResidentBlock& block() const { return *static_cast<ResidentBlock*>(thread->block); }
  detail::Fiber* running() const { return thread->waitable != nullptr ? thread->waitable : thread->fiber; }
  bool in_kernel() const { return running() != &host; }
  base::FiberId id_of(const detail::Fiber& fiber) const {
    return base::fiber_id(fiber.warp->block->rank, rank_in_block(fiber, launch->request.warp_size), launch->threads);
  }
  /// Of the running thread, in its block.
  unsigned thread_rank() const {
    const dim3& extent = launch->request.block;
    return thread_index->x + extent.x * (thread_index->y + extent.y * thread_index->z);
  }
  base::FiberId running_id() const { return base::fiber_id(block().rank, thread_rank(), launch->threads); }
  unsigned warp_of(unsigned rank) const {
    return warp_shift != 0 ? rank >> warp_shift : rank / launch->request.warp_size;
  }
  /// Whether the running thread's threadIdx.x may not be its own, because its row keeps that nowhere
  /// (run_straight_line_row in <warpfiber/detail/lanes/fiber_rows.hpp>), or because a function runs its whole block.
  bool index_is_hidden() const { return thread->claimer != nullptr && thread->straight_line_rows; }
  /// Before a finding about the running thread is made: nothing may interrupt from here on.
  static void begin_failure() { detail::current_thread.busy = true; }
  const record::Finding* missing_block_at(const void* address) const { return missing_block.at(address); }

  /// Of the OS thread that this worker runs on; 0 before it has started. Any worker may ask.
  std::uint64_t progress() const {
    const std::uint64_t* counter = __atomic_load_n(&progress_counter, __ATOMIC_ACQUIRE);
    return counter == nullptr ? 0 : __atomic_load_n(counter, __ATOMIC_RELAXED);
  }
  /// The same without meetings, when the worker said so last: it does where it may agree that nobody gets on.
  std::uint64_t gain() const { return __atomic_load_n(&said_gain, __ATOMIC_ACQUIRE); }
  /// On its OS thread, while no convoy runs.
  void say_gain() { __atomic_store_n(&said_gain, thread->progress - meetings.met(), __ATOMIC_RELEASE); }

  // Read on the path of every wait.
  // current_thread, threadIdx and blockIdx of the OS thread that this worker runs on, ran on last, or was made by. Code
  // of a shared library finds each of them by a call, so the commonest paths take them from here.
  detail::CurrentThread* thread = &detail::current_thread;
  uint3* thread_index = &threadIdx;
  uint3* block_index = &blockIdx;
  Grid* launch = nullptr;
  detail::Fiber* idle = nullptr;             // unused fibers, linked
  unsigned warp_shift = 0;                   // where warps are 2^shift wide; 0: they are not
  bool flat = true;                          // blocks are one-dimensional
  bool in_order = true;                      // the policy need not be asked
  bool by_functions = false;                 // blocks that begin are run by GridRequest::run_block
  std::optional<std::uint64_t> rerun_block;  // that fibers run once more, by its rank
  void (*life)() = nullptr;                  // of a fiber that is made
  ReleaseCount releases;
  MeetingCount meetings;
  InterruptedFibers interrupted;
  LoopLooks* loop_looks = nullptr;                 // never null; the worker's
  record::Observer* observer = nullptr;            // of the launch; null where nothing observes it
  record::Observer* thread_observer = nullptr;     // the same, where it wants to know of each thread
  record::Observer* access_observer = nullptr;     // the same, where it observes accesses of a program with hooks
  record::Observer* unchecked_accesses = nullptr;  // the same, where nothing checks the accesses
  record::Observer* statement_observer = nullptr;  // of the launch, where it observes statements of programs that do

  unsigned index = 0;  // among the workers of the launch
  detail::FiberDetails host_details;
  detail::Fiber host;  // the OS thread's own stack
  fiber::StackSlabs stacks;
  Admission admission;
  std::vector<ResidentBlock*> resident;
  PolicyQueue policy;
  base::Random random{0};
  std::uint64_t barriers = 0;            // phases of block and cluster barriers completed
  std::uint64_t yielded = 0;             // threads in the blocks' lists of that name
  const detail::Fiber* idler = nullptr;  // was last in a loop that changes nothing by which it could end
  unsigned idlers = 0;                   // threads that are in such loops
  std::vector<const void*> idle_words;   // barriers in memory at which threads in such loops have arrived
  std::uint64_t idle_clocks = 0;         // reads of the clock in such loops, which free no thread
  bool meets_in_circles = false;         // its threads do nothing but meet, as far as is known
  bool is_idle = false;                  // it sleeps until something happens elsewhere (under the grid's mutex)
  std::uint64_t said_gain = 0;
  const std::uint64_t* progress_counter = nullptr;  // this OS thread's current_thread.progress
  std::vector<detail::WrittenWord> written;         // by atomics, last
  std::map<std::uint64_t, Site> left;  // of a cooperative launch: where the threads of blocks have returned, by rank
  // Of a checked program: which phase of a barrier in memory is the present one, from 1.
  std::map<const void*, std::uint64_t> phases;
  MissingBlock missing_block;
  LeftOut left_out;
};

/// Whether fibers run the block because the function that runs blocks did not get through it.
inline bool is_rerun(const WorkerState& worker, const ResidentBlock& block) {
  return worker.rerun_block.has_value() && *worker.rerun_block == block.rank;
}

}  // namespace warpfiber::engine
