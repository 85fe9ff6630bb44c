// SPDX-License-Identifier: Apache-2.0
// What compiled kernels call, handed on to the worker of the calling OS thread.
#include <warpfiber/detail/claim.hpp>
#include <warpfiber/detail/collective.hpp>
#include <warpfiber/detail/group.hpp>
#include <warpfiber/detail/notice_board.hpp>
#include <warpfiber/detail/shared_variable.hpp>
#include <warpfiber/detail/thread_set.hpp>
#include <warpfiber/intrinsics/grid.hpp>
#include <warpfiber/intrinsics/named_barrier.hpp>
#include <warpfiber/translated/statements.hpp>

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>

#include "engine/claims/first_waits.hpp"
#include "engine/convergence/maskless.hpp"
#include "engine/findings/groups.hpp"
#include "engine/observing/access_hook.hpp"
#include "engine/worker.hpp"
#include "fiber/tools.hpp"
#include "record/diagnosis.hpp"
#include "record/group_mistake.hpp"
#include "record/mistake.hpp"
#include "report/reasons/reasons.hpp"

namespace warpfiber::engine {

// As much as the calls take that follow.
__attribute__((noinline)) void wipe_dead_stack() {
  constexpr std::size_t kBytes = 1024;
  char dead[kBytes];
  ::explicit_bzero(dead, sizeof dead);
}

bool compares_states() {
  Worker* current = Worker::current();
  const WorkerState* state = WorkerState::current();
  return current != nullptr && (current->spinning().circles().rounds() != 0 || state->meetings.is_near_look());
}

// All that the thread can see of itself: what the compiler keeps in registers across calls, saved by this frame, and
// the frames above it.
__attribute__((noinline)) void spin(const SpinNote& note) {
  Worker* current = Worker::current();
  if (!current->spinning().circles().looks_at(note)) return current->spinning().let_others_run(note, 0);
  wipe_dead_stack();
  __builtin_unwind_init();
  // rbx and r12 to r15 on x86-64; rbp is at the frame. The word below them may be padding, with what another call left.
  constexpr std::size_t kSavedRegisters = 5 * sizeof(void*);
  const char* frame = static_cast<const char*>(__builtin_frame_address(0));
  const char* top = current->running()->more->stack_high;
  current->spinning().let_others_run(note, hash_bytes(frame - kSavedRegisters, top, 1));
}

void before_access(const record::MemoryAccess& access) {
  Worker* worker = Worker::current();
  if (worker == nullptr) return;
  if (worker->grid().request.steps_at_accesses()) worker->waits().step_to_next_lane();
  if (worker->access_observer != nullptr) worker->access_observer->access(access);
}

void report_fence(record::AccessScope scope) {
  const Worker* worker = Worker::current();
  if (worker != nullptr && worker->access_observer != nullptr) worker->access_observer->fence(scope);
}

}  // namespace warpfiber::engine

namespace warpfiber::detail {

using engine::Worker;

namespace {

const char* name_of(const char* call) {
  return call;
}

const char* name_of(record::ReasonKind call) {
  return report::fixed_text(call);
}

/// A call from outside a kernel is a mistake that no launch can be blamed for.
[[noreturn, gnu::cold, gnu::noinline]] void called_outside_kernel(const char* call, Site site) {
  const std::string place = fmt::format("{}{}{}:{}", call, site.file != nullptr ? " at " : "",
                                        site.file != nullptr ? site.file : "", site.line);
  const std::string text = report::reason_text({record::ReasonKind::called_outside_kernel, place});
  std::fprintf(stderr, "%s\n", text.c_str());
  std::abort();
}

/// The worker that runs the calling thread. `call`: a name, or the kind of reason whose text is one.
template <class Call>
Worker& worker(Call call, Site site = {}, const CurrentThread& thread = current_thread) {
  auto* current = static_cast<Worker*>(static_cast<engine::WorkerState*>(thread.worker));
  if (current == nullptr) called_outside_kernel(name_of(call), site);
  return *current;
}

// Apart, so that its caller saves no registers.
__attribute__((noinline)) Switch arrive_maskless_slowly(const Collective& collective, LaneArgument* operands,
                                                        MasklessCall* call, const char* frame) {
  return worker(collective.name, operands->site).converging().arrive_maskless(collective, operands, call, frame);
}

}  // namespace

Switch arrive_at_barrier(Operation kind, bool predicate, Site site) {
  CurrentThread& current = here();
  Worker& of_caller = worker("__syncthreads()", site, current);
  if (comes_between_others(of_caller, current, kind, site)) return wait_between_others(of_caller, current, predicate);
  if (claims_on_at_barrier(of_caller, current, kind, site)) return bind_at_barrier(of_caller, current);
  return of_caller.whole_barriers().arrive_at_block(kind, predicate, site);
}

Switch arrive_at_collective(const Collective& collective, std::uint64_t mask, LaneArgument* argument) {
  return worker(collective.name, argument->site).lane_arrivals().arrive(collective, mask, argument);
}

Notice& notice_in_cluster(unsigned rank, Site site) {
  return worker("reduction over a cluster", site).exchange().notice_in_cluster(rank);
}

Notice& notice_in_grid(std::uint64_t rank, Site site) {
  return worker("reduction over a grid", site).exchange().notice_in_grid(rank, site);
}

void* shared_of_rank(const void* mine, unsigned rank, Site site) {
  return worker("map_shared_rank()", site).exchange().shared_of_rank(mine, rank, site);
}

unsigned rank_of_shared(const void* place, Site site) {
  return worker("query_shared_rank()", site).exchange().rank_of_shared(place, site);
}

unsigned wait_at_barrier(Operation kind, bool predicate, Site site) {
  fiber::leave(arrive_at_barrier(kind, predicate, site));
  current_thread.busy = false;
  // Stays until the next phase is over, for which this thread has to come again.
  return current_thread.block->barrier.result;
}

void let_others_run(const void* address, Site site) {
  if (Worker::current() == nullptr) {
    current_thread.polls_left = kPollsBeforeYield;
    return;
  }
  engine::spin(engine::SpinNote{.site = site, .address = address});
}

void note_polled(const void* address, Site site) {
  if (Worker* current = Worker::current(); current != nullptr)
    current->spinning().circles().note_polled(*current->running(), {.address = address, .site = site});
}

void note_polled_at(const void* address, const void* instruction) {
  if (Worker* current = Worker::current(); current != nullptr)
    current->spinning().circles().note_polled(*current->running(), {.address = address, .instruction = instruction});
}

void polled_often(const void* address, Site site) {
  Worker* current = Worker::current();
  if (current == nullptr || !current->spinning().polls().were_all_of(current->running_id())) {
    current_thread.polls_left = kPollsBeforeYield;
    return;
  }
  // Where threads poll as well, the next poll lets others run in place of a fence: reports name what is polled.
  if (address == nullptr && current->in_order && !std::exchange(current_thread.asleep, true)) {
    current_thread.polls_left = 1;
    return;
  }
  let_others_run(address, site);
}

void worked_often(Site site) {
  Worker* current = Worker::current();
  if (current == nullptr || !current->spinning().polls().is_over(current->running_id())) {
    current_thread.polls_left = kPollsBeforeYield;
    return;
  }
  engine::spin(engine::SpinNote{.site = site, .works = true});
}

void passed_idly(Site site) {
  if (Worker* current = Worker::current(); current != nullptr) current->spinning().note_idle_pass(site);
}

void left_idle_loop() {
  if (Worker* current = Worker::current(); current != nullptr) current->spinning().note_idle_end();
}

void polled_often_at(const void* address, const void* instruction) {
  Worker* current = Worker::current();
  if (current == nullptr || !current->spinning().polls().were_all_of(current->running_id())) {
    current_thread.polls_left = kPollsBeforeYield;
    return;
  }
  engine::spin(engine::SpinNote{.site = {}, .address = address, .instruction = instruction});
}

void wrote_often(const void* address, Site site) {
  if (Worker::current()->spinning().ends_turn())
    engine::spin(engine::SpinNote{.site = site, .address = address, .writes = true});
}

// Not inlined, so that the return address of its frame is in the code of the caller.
__attribute__((noinline)) std::uint64_t converged_lanes(Site site) {
  const char* frame = static_cast<const char*>(__builtin_frame_address(0));
  return worker("__activemask()", site).converging().lanes_at(site, frame);
}

__attribute__((noinline)) Switch arrive_maskless(const Collective& collective, LaneArgument* operands,
                                                 MasklessCall* call) {
  const char* frame = static_cast<const char*>(__builtin_frame_address(0));
  current_thread.busy = true;  // a preemption would end the convoy
  if (Convoy* convoy = current_thread.convoy; WARPFIBER_LIKELY(convoy != nullptr && convoy->mask == 0)) {
    auto& maskless = static_cast<engine::MasklessConvoy&>(*convoy);
    const Fiber* self = current_thread.fiber;
    if (WARPFIBER_LIKELY(engine::is_expected(maskless, collective, operands->site, frame, *self))) {
      const Switch next = engine::advance(maskless, *operands, *call);
      if (WARPFIBER_LIKELY(next.to != nullptr)) return next;
    }
  }
  return arrive_maskless_slowly(collective, operands, call, frame);
}

__attribute__((noinline)) void print_together(Site site, const char* text, std::size_t size) {
  const char* frame = static_cast<const char*>(__builtin_frame_address(0));
  worker("printf()", site).converging().print(site, frame, {text, size});
}

__attribute__((noinline)) Switch arrive_at_step(Site site) {
  const char* frame = static_cast<const char*>(__builtin_frame_address(0));
  return worker(record::ReasonKind::step_of_warp, site).converging().arrive_at_step(site, frame);
}

void first_touch(const SharedVariable& variable) {
  Worker::current()->exchange().first_touch(variable);
}

void shared_outside_kernel(const SharedVariable& variable) {
  const std::string text = report::reason_text({record::ReasonKind::shared_outside_kernel, variable.description});
  std::fprintf(stderr, "%s\n", text.c_str());
  std::abort();
}

void kernel_threw() noexcept {
  Worker::current()->keep_exception();
}

Switch arrive_at_grid_barrier(Site site) {
  return worker("grid barrier", site).whole_barriers().arrive_at_grid(site);
}

Switch arrive_at_multi_grid_barrier(Site site) {
  return worker("multi-grid barrier", site).whole_barriers().arrive_at_grids(site);
}

Switch arrive_at_cluster_barrier(Site site) {
  return worker("cluster barrier", site).whole_barriers().arrive_at_cluster(site);
}

Switch arrive_at_group(unsigned first, unsigned size, const GroupCollective& collective, GroupPart* part) {
  return worker(collective.name, part->site).group_arrivals().arrive(first, size, collective, part);
}

Switch arrive_at_set(const ThreadSet& members, const GroupCollective& collective, GroupPart* part) {
  return worker(collective.name, part->site).group_arrivals().arrive(members, collective, part);
}

void note_uniform_call(const UniformGroup& group, const UniformNote& note) {
  Worker& of_caller = worker(engine::call_name(note.call), note.site);
  engine::note_uniform_call(of_caller, of_caller.choosing(), group, note);
}

void note_tile(unsigned size, Site site) {
  Worker& of_caller = worker("tiled_partition()", site);
  current_thread.busy = true;
  engine::note_tile(of_caller.block(), size, site);
  current_thread.busy = false;
}

WideMeeting* make_wide_meetings(std::size_t count, Site site) {
  return worker("partition", site).exchange().make_wide_meetings(count);
}

std::uint64_t arrive_split(SplitBarrier barrier, Site site) {
  return worker(engine::arrive_name(barrier), site).split_barriers().arrive(barrier, site);
}

void wait_split(SplitBarrier barrier, std::uint64_t phase, Site site) {
  worker(engine::wait_name(barrier), site).split_barriers().wait(barrier, phase, site);
}

std::uint64_t open_phase(SplitBarrier barrier, Site site) {
  return worker(engine::wait_name(barrier), site).split_barriers().open_phase(barrier, site);
}

unsigned check_named(unsigned barrier, unsigned threads, const char* call, Site site) {
  return worker(call, site).named_barriers().check(barrier, threads, call, site);
}

std::uint64_t arrive_at_named(unsigned barrier, unsigned threads, NamedVotes votes, const char* call, Site site) {
  return worker(call, site).named_barriers().arrive(barrier, threads, votes, call, site);
}

NamedVotes take_votes(unsigned barrier, std::uint64_t phase) {
  return worker("bar.red").named_barriers().take_votes(barrier, phase);
}

void wait_at_named(unsigned barrier, std::uint64_t phase, const char* call, Site site) {
  worker(call, site).named_barriers().wait(barrier, phase, call, site);
}

void unequal_in_warp(const char* call, Site site) {
  Worker& current = worker(call, site);
  current.begin_failure();
  current.fail_here(engine::misused(current, site, call, record::Mistake::named_barrier_operands_differ));
}

void misuse(Site site, const char* call, GroupMisuse what) {
  Worker& current = worker(call, site);
  current.begin_failure();
  current.fail_here(engine::misused(current, site, call, record::mistake_of(what)));
}

void returning(Site site) {
  current_thread.busy = true;
  engine::note_return(worker("return").block(), site);
  current_thread.busy = false;
}

unsigned control_flow(unsigned before, ControlFlow what, unsigned number, const char* file) {
  const engine::WorkerState* current = engine::WorkerState::current();
  if (current == nullptr || current->statement_observer == nullptr) return before;
  const bool was_busy = std::exchange(current_thread.busy, true);
  if (what == ControlFlow::statement) {
    current->statement_observer->statement({file, number, 0});
  } else {
    current->statement_observer->control_flow(what, number);
  }
  current_thread.busy = was_busy;
  return before;
}

bool next_row() {
  return Worker::current()->claims().next_row();
}

Switch finish_claims() {
  CurrentThread& current = here();
  return static_cast<Worker*>(static_cast<engine::WorkerState*>(current.worker))->claims().finish(current);
}

}  // namespace warpfiber::detail

namespace warpfiber {

unsigned cluster_block_rank() {
  return detail::worker("cluster_block_rank()").exchange().cluster_block_rank();
}

unsigned multi_grid_rank() {
  return detail::worker("multi_grid_rank()").grid().request.multi_rank;
}

unsigned multi_grid_size() {
  const engine::MultiGrid* multi = detail::worker("multi_grid_size()").grid().request.multi;
  return multi == nullptr ? 0 : multi->size();
}

unsigned cluster_size() {
  return detail::worker("cluster_size()").grid().cluster_blocks;
}

dim3 cluster_dim() {
  return detail::worker("cluster_dim()").grid().request.cluster;
}

bool is_cooperative() {
  return detail::worker("is_cooperative()").grid().request.cooperative;
}

}  // namespace warpfiber
