// SPDX-License-Identifier: Apache-2.0
// A worker runs blocks on one OS thread: it admits them as residency allows, runs their threads on its fibers, and
// says when nothing can go on. Its member functions are called on that OS thread only, either on the thread's own stack
// (`run` and what it calls) or on the fiber of the thread that waits.
// Invariants: a resident block, its threads and its cluster never leave their worker. While lists change,
// current_thread.busy is set. Exactly one fiber is running or the OS thread's own stack is.
// The parts: worker.cpp (the loop, admission), claiming.cpp (starting and ending threads), choosing.cpp (who is next),
// waiting.cpp (barriers and collectives), wide_barrier.cpp (cluster, grid), groups.cpp (groups larger than a warp),
// split_barrier.cpp, spinning.cpp, convergence (lanes that ask who is with them, print, or meet without a mask).
#pragma once

#include <warpfiber/detail/collective.hpp>
#include <warpfiber/detail/current_thread.hpp>
#include <warpfiber/detail/shared_variable.hpp>

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/random.hpp"
#include "engine/admission/admission.hpp"
#include "engine/block.hpp"
#include "engine/choosing/policy_queue.hpp"
#include "engine/claims/quick_rows.hpp"
#include "engine/convergence/reconvergence.hpp"
#include "engine/findings/exits.hpp"
#include "engine/grid.hpp"
#include "engine/groups/group_collectives.hpp"
#include "engine/liveness/busy_turns.hpp"
#include "engine/liveness/circles.hpp"
#include "engine/liveness/poll_turns.hpp"
#include "engine/observing/observing.hpp"
#include "engine/preempt.hpp"
#include "fiber/stacks.hpp"

namespace warpfiber::engine {

struct ProcessorFault;

class Worker {
 public:
  Worker() : written_(detail::kWrittenWords) {}
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  /// The worker of this OS thread while it runs kernels, else null.
  static Worker* current() { return static_cast<Worker*>(detail::current_thread.worker); }

  /// Takes part in `grid` until nothing is left for this worker. `index` counts the launch's workers from 0.
  void run(Grid& grid, unsigned index);

  // Called by the running thread (waiting.cpp, wide_barrier.cpp, spinning.cpp).
  /// Whether other threads may run before each access of the running one, as lanes of a warp do theirs at once.
  bool steps_at_accesses() const { return grid_->request.policy.kind == schedule::PolicyKind::lock_step; }
  void step_to_next_lane();
  detail::Switch arrive_at_barrier(detail::BarrierKind kind, bool predicate, Site site);
  bool claims_on() const;
  bool claims_on_at_barrier(detail::BarrierKind kind, const Site& site) const;
  detail::Switch bind_at_barrier();
  detail::Switch arrive_at_collective(const detail::Collective& collective, std::uint64_t mask,
                                      detail::LaneArgument* argument);
  detail::Switch arrive_at_grid_barrier(Site site);
  detail::Switch arrive_at_multi_grid_barrier(Site site);
  detail::Switch arrive_at_cluster_barrier(Site site);
  detail::WideMeeting* make_wide_meetings(std::size_t count);
  std::uint64_t arrive_split(detail::SplitBarrier barrier, Site site);
  void wait_split(detail::SplitBarrier barrier, std::uint64_t phase, Site site);
  std::uint64_t open_phase(detail::SplitBarrier barrier, Site site);
  unsigned check_named(unsigned barrier, unsigned threads, const char* call, Site site);
  std::uint64_t arrive_at_named(unsigned barrier, unsigned threads, detail::NamedVotes votes, const char* call,
                                Site site);
  detail::NamedVotes take_votes(unsigned barrier, std::uint64_t phase);
  void wait_at_named(unsigned barrier, std::uint64_t phase, const char* call, Site site);
  unsigned cluster_block_rank() const;
  /// Whether `address` is in the shared memory of the running block.
  bool shares(const void* address) const { return block().arena.contains(address); }
  void* shared_of_rank(const void* mine, unsigned rank, Site site);
  detail::Notice& notice_in_cluster(unsigned rank);
  detail::Notice& notice_in_grid(std::uint64_t rank, Site site);
  /// Rank of the block of the cluster whose shared memory `place` is in.
  std::optional<unsigned> rank_of_sharing_block(const void* place) const;
  unsigned rank_of_shared(const void* place, Site site);
  bool ends_turn();
  BusyTurns& busy_turns() { return busy_turns_; }
  PollTurns& polls() { return polls_; }
  Circles& circles() { return circles_; }
  base::FiberId running_id() const;
  /// `state` is a number for the registers and the stack of the calling thread, 0 if not known.
  void let_others_run(const SpinNote& where, std::uint64_t state);
  void stay(const SpinNote& where);
  void ask_whether_dead(const SpinNote& where);
  /// What checks have found in the launch, which goes no further.
  std::vector<record::Finding> found_so_far() const;
  record::Observer* observer() const { return observer_; }
  /// Null where nobody observes accesses.
  record::Observer* access_observer() const { return observers_.of_accesses(); }
  /// Before a finding about the running thread is made: nothing may interrupt from here on.
  void begin_failure() { detail::current_thread.busy = true; }
  /// Ends the launch with a finding about the running thread; does not come back.
  [[noreturn]] void fail_here(record::Finding finding);

  /// What was said when an address was made that no block of the cluster has; null for other addresses.
  const record::Finding* missing_block_at(const void* address) const;

  // Called by the claiming loop (claiming.cpp).
  bool next_row();
  detail::Switch finish_claims();

  /// Whether the running thread's threadIdx.x may not be its own, because its row keeps that nowhere (quick_rows.hpp).
  bool index_is_hidden() const {
    const detail::CurrentThread& current = detail::current_thread;
    return current.claimer != nullptr && current.quick_rows;
  }
  QuickRows& quick_rows() { return quick_rows_; }
  /// The launch ends with what the running thread has done, or is_to_retrace() says that its row has to run once more
  /// before it is known which thread that is.
  void note_fault(const ProcessorFault& fault);
  bool is_to_retrace() const { return retraced_.has_value(); }
  [[noreturn]] void retrace_row();

  void keep_exception();
  void first_touch(const detail::SharedVariable& variable);

  // For the parts of the engine that make the running thread wait, and threads go on.
  bool in_order() const { return in_order_; }
  bool is_observed() const { return observer_ != nullptr; }
  detail::Fiber* begin_wait();
  detail::Fiber* begin_wait_claiming();
  detail::Switch suspend(detail::Fiber* self);
  detail::Switch suspend_claiming(detail::Fiber* self);
  void wait(detail::Switch decided);
  detail::Switch go_on(detail::Fiber* self);
  detail::Fiber* others_turn(const detail::Fiber& self);
  void make_ready(ResidentBlock& block, detail::WaitList& list, bool first = false);
  bool in_a_row() const;
  void count_release();
  bool may_form_convoys() const;
  detail::Switch run_convoy(detail::Fiber* self, detail::Convoy& convoy, detail::WaitList& lanes);
  Reconvergence& reconvergence() { return reconvergence_; }
  GroupCollectives& groups() { return groups_; }
  static void note_between(ResidentBlock& block, detail::SplitBarrier barrier, Site site);

  Grid& grid() const { return *grid_; }
  /// Among those of the launch.
  unsigned index() const { return index_; }
  ResidentBlock& block() const { return *static_cast<ResidentBlock*>(detail::current_thread.block); }
  const std::vector<ResidentBlock*>& resident() const { return resident_; }
  base::FiberId id_of(const detail::Fiber& fiber) const {
    return base::fiber_id(fiber.warp->block->rank, rank_in_block(fiber, grid_->request.warp_size), grid_->threads);
  }
  bool in_kernel() const { return running() != &host_; }
  detail::Fiber* running() const;
  const fiber::StackSlabs& stacks() const { return stacks_; }
  /// Of the OS thread that this worker runs on; 0 before it has started. Any worker may ask.
  std::uint64_t progress() const {
    const std::uint64_t* counter = __atomic_load_n(&progress_, __ATOMIC_ACQUIRE);
    return counter == nullptr ? 0 : __atomic_load_n(counter, __ATOMIC_RELAXED);
  }
  /// Something that an idle worker waits for has happened here (under the grid's mutex).
  bool can_go_on() const;
  /// It sleeps until something happens elsewhere (under the grid's mutex).
  bool is_idle() const { return is_idle_; }
  void set_idle(bool idle);
  bool has_open_barrier() const;
  /// Threads that spin and are to run next, for reports.
  std::span<detail::Fiber* const> candidates() const { return policy_.fibers(); }
  Sampler& sampler() { return sampler_; }
  /// The top of a stack that no fiber uses, for leaving a fiber whose own stack is of no use any more.
  void* emergency_stack() { return emergency_stack_ + sizeof emergency_stack_ - 8; }
  /// Leaves the running fiber for ever, from a fault handler's frame or from the thread itself.
  [[noreturn]] void abandon_fiber();

  const Admission& admission() const { return admission_; }
  /// For reports: the words that atomics have written.
  void append_written(std::vector<detail::WrittenWord>& words) const;
  /// The same of the places where blocks of a cooperative launch have returned.
  void append_left(std::map<std::uint64_t, Site>& left) const;

 private:
  // worker.cpp
  void be_found_by_signals();
  void be_lost_to_signals();
  void begin(Grid& grid, unsigned index);
  void end();
  bool step();
  void end_if_dead();
  void let_all_run();
  void enter(ResidentBlock& block);
  bool admit();
  void start_block(ResidentBlock& block, uint3 index, Cluster* cluster);
  static void reset_groups(ResidentBlock& block);
  static void leave_block();
  void reset_claims(ResidentBlock& block);
  void reset_dynamic(ResidentBlock& block);
  void shuffle_claims(ResidentBlock& block);
  void note_finished(const ResidentBlock& block);
  void note_left(const ResidentBlock& block);
  void finish_block(ResidentBlock& block);
  bool out_of_memory(const char* what);
  void queue(ResidentBlock& block);
  void activate(ResidentBlock& block);

  // claiming.cpp
  unsigned warp_of(unsigned thread) const {
    return warp_shift_ != 0 ? thread >> warp_shift_ : thread / grid_->request.warp_size;
  }
  void begin_claim(ResidentBlock& block);
  detail::Fiber* bind();
  void engage(ResidentBlock& block);
  void report_threads_begin(const ResidentBlock& block, unsigned first, unsigned last);
  void report_threads_end(const ResidentBlock& block, unsigned first, unsigned last);
  void report_bound_end(const detail::Fiber& fiber, const ResidentBlock& block);
  void retire_range(ResidentBlock& block, unsigned first, unsigned last);
  bool is_missed_by_none(const ResidentBlock& block, const ResidentWarp& warp) const;
  void count_retired(const detail::Fiber& fiber, ResidentBlock& block);
  void retire_thread(detail::Fiber& fiber);
  void recheck(ResidentBlock& block, ResidentWarp& warp);
  void recheck(ResidentBlock& block);
  bool restart_with_next_block(ResidentBlock& block);
  bool end_quick_rows();

  // choosing.cpp
  detail::Switch reschedule(detail::Fiber* self);
  void yield_by_policy(const detail::Fiber& self);
  detail::Fiber* choose();
  detail::Fiber* choose_by_policy();
  detail::Fiber* enter_bound(detail::Fiber* fiber);
  detail::Fiber* enter_claim(ResidentBlock& block);
  detail::Fiber* enter_host();
  void make_ready(detail::Fiber* fiber);
  void offer_claim(ResidentBlock& block);

  // waiting.cpp
  void release_barrier(ResidentBlock& block);
  detail::Gather& gather_for(ResidentWarp& warp, const detail::Collective& collective, std::uint64_t mask);
  detail::Switch start_convoy(detail::Fiber* self, ResidentWarp& warp, detail::Gather& gather, detail::Convoy& convoy);
  void end_convoy();
  void answer(ResidentWarp& warp, detail::Gather& gather);
  void complete(ResidentBlock& block, ResidentWarp& warp, detail::Gather& gather);

  // named_barriers.cpp
  void reset_named(ResidentBlock& block);

  // split_barrier.cpp
  static OpenArrival& open_arrival(ResidentBlock& block, unsigned thread, detail::SplitBarrier barrier);
  std::uint64_t phase_of(const ResidentBlock& block, detail::SplitBarrier barrier) const;
  void arrive_split_at_block(ResidentBlock& block, detail::Fiber* self, Site site);
  void arrive_split_at_cluster(ResidentBlock& block);
  void arrive_split_at_grid(ResidentBlock& block, Site site);
  void wait_for_phase(ResidentBlock& block, detail::Fiber* self, detail::SplitBarrier barrier, std::uint64_t phase,
                      Site site);
  void finish_phase_first(ResidentBlock& block, detail::Fiber* self, detail::SplitBarrier barrier, Site site);
  void check_open_arrivals(ResidentBlock& block, const detail::Fiber& self);

  // wide_barrier.cpp
  void note_grid_barrier() {
    if (!grid_->grid_barriers.load(std::memory_order_relaxed)) grid_->grid_barriers.store(true);
  }
  detail::Switch arrive_at_wide_barrier(detail::Fiber* self, bool multi_grid, Site site);
  std::uint64_t wide_phase_of(const ResidentBlock& block) const;
  void arrive_block(ResidentBlock& block);
  void recheck_wide(ResidentBlock& block);
  void release_cluster(Cluster& cluster);
  bool release_if_open(ResidentBlock& block);
  bool release_from_grid_barrier();

  // spinning.cpp
  bool spin_round();
  std::uint64_t progress_of_others() const;
  bool spin_before_admission();
  void make_yielded_ready();
  void count_spin_by_policy();

  // observing.cpp
  void begin_observing();
  void end_observing();
  void note_release_by_exits(const ResidentBlock& block, const char* barrier, bool of_grid, Site site);
  char* memory_of_no_block(record::Finding finding);

  detail::FiberDetails host_details_;
  detail::Fiber host_;  // the OS thread's own stack
  fiber::StackSlabs stacks_;
  detail::Fiber* idle_ = nullptr;  // unused fibers, linked
  Admission admission_;
  std::vector<ResidentBlock*> resident_;
  std::deque<ResidentBlock*> runnable_;  // blocks with a ready or an unclaimed thread, the running one left out

  unsigned index_ = 0;
  Grid* grid_ = nullptr;
  unsigned warp_shift_ = 0;  // where warps are 2^shift wide; 0: they are not
  bool flat_ = true;         // blocks are one-dimensional
  bool in_order_ = true;     // policy_ need not be asked
  PolicyQueue policy_;
  base::Random random_{0};
  unsigned releases_ = 0;  // completed rendezvous
  unsigned turns_ = 0;     // that have ended since a block was last admitted for their sake
  bool turn_ended_ = false;

  std::uint64_t* progress_ = nullptr;  // this OS thread's current_thread.progress
  std::uint64_t barriers_ = 0;         // phases of block and cluster barriers completed
  std::uint64_t spin_polls_ = 0;
  std::uint64_t yielded_ = 0;         // threads in the blocks' lists of that name
  std::uint64_t seen_of_others_ = 0;  // what other workers had done when the first of them yielded
  std::uint64_t spin_budget_ = 0;     // goes that spinning threads may have before another block comes in
  bool host_decides_ = false;         // the loop on the OS thread's own stack is asked before anybody runs
  bool is_idle_ = false;
  Circles circles_{resident_, policy_};
  PollTurns polls_;
  std::vector<detail::WrittenWord> written_;
  bool has_written_ = false;  // the last launch has
  Reconvergence reconvergence_{*this, random_};
  GroupCollectives groups_{*this};
  Sampler sampler_;
  LaunchObservers observers_;
  record::Observer* observer_ = nullptr;         // of the launch; null where nobody observes it
  record::Observer* thread_observer_ = nullptr;  // the same, where it wants to know of each thread
  QuickRows quick_rows_;
  BusyTurns busy_turns_;
  std::optional<record::Finding> retraced_;  // what a thread of the row that runs once more has done
  std::optional<record::Finding> missing_block_;
  std::vector<ReleaseByExits> releases_by_exits_;
  std::map<std::uint64_t, Site> left_;  // of a cooperative launch: where the threads of blocks have returned, by rank
  alignas(16) char emergency_stack_[16 * 1024];
};

/// The running thread lets others run; its state shows whether it runs in circles (entry.cpp).
void spin(const SpinNote& note);

inline detail::Fiber* Worker::running() const {
  return detail::current_thread.waitable != nullptr ? detail::current_thread.waitable : detail::current_thread.fiber;
}

}  // namespace warpfiber::engine
