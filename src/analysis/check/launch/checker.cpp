// SPDX-License-Identifier: Apache-2.0
// Each event of a launch goes to the parts that it concerns, and the end of the launch makes findings.
#include "check/launch/checker.hpp"

#include <algorithm>
#include <bit>
#include <iterator>
#include <utility>

#include "check/calls/frames.hpp"
#include "check/cells/sites.hpp"
#include "check/launch/findings.hpp"
#include "check/launch/moves.hpp"

namespace warpfiber::check {
namespace {

/// How the launch ended for the threads that others have not waited for.
Cut cut_of(const std::optional<record::Finding>& ended_by) {
  return ended_by.has_value() ? cut_by(*ended_by) : Cut::none;
}

/// Whether the processor has refused an access, of which the checker knows more.
bool is_refused_access(const record::Finding& finding) {
  return finding.verdict == record::Verdict::oob_global || finding.verdict == record::Verdict::misaligned;
}

}  // namespace

Checker::~Checker() {
  if (launch_ != nullptr && active_checker == launch_.get()) active_checker = nullptr;
}

void Checker::launch_begin(const record::LaunchBegin& launch) {
  facts_ = &launch.facts;
  pauses_ = 0;
  callers_.begin(launch.runs_threads);
  note_kernel(launch.runs_threads, launch.kernel);
  launch_ = std::make_unique<LaunchChecker>(
      GridShape{.grid = launch.grid, .block = launch.block, .cluster = launch.cluster, .warp_size = launch.warp_size},
      launch.order,
      CheckerServices{.stack_owner = launch.stack_owner,
                      .stack_frame = launch.stack_frame,
                      .left_stack = launch.left_stack,
                      .has_returned = launch.has_returned,
                      .host_memory = host_memory_,
                      .callers = &callers_},
      launch.check);
  launch_->arguments(launch.arguments, launch.argument_bytes, launch.kernel);
  active_checker = launch_.get();
}

void Checker::launch_end(const record::LaunchEnd& launch) {
  launch_->flush();
  launch_->log().unwritten().finish(0, ~std::uint64_t{0});
  active_checker = nullptr;
  settle_moves(*launch_);
  std::optional<record::Finding>& ended_by = launch.ended_by;
  const bool refused = ended_by.has_value() && is_refused_access(*ended_by);
  const Violation* const ending = refused                ? ending_violation(*launch_)
                                  : ended_by.has_value() ? nullptr
                                                         : failing_violation(*launch_);
  std::ranges::move(findings_of(*launch_, *facts_, cut_of(ended_by), ending), std::back_inserter(launch.found));
  if (ending != nullptr) ended_by = finding_of(*ending, *launch_, *facts_);
  // The engine knows it of an access that the processor has refused.
  if (ended_by.has_value()) ended_by->left_out = std::max(ended_by->left_out, launch_->log().refusals().left_out());
  if (ended_by.has_value() && ended_by->verdict == record::Verdict::cg_misuse) {
    if (auto early = early_read(*launch_, *facts_)) ended_by->parties.push_back(std::move(*early));
  }
  launch.dropped += launch_->log().violations().dropped();
  launch_.reset();
}

std::vector<record::Finding> Checker::findings_so_far() const {
  if (launch_ == nullptr) return {};
  settle_moves(*launch_);
  return findings_of(*launch_, *facts_, Cut::stopped);
}

void Checker::block_begin(const record::BlockId& block, const memory::SharedArena& shared) {
  if (block.slot >= blocks_.size()) blocks_.resize(block.slot + 1);
  auto& made = blocks_[block.slot];
  if (made == nullptr) made = std::make_unique<BlockShadow>();
  launch_->begin_block(*made, block.rank, shared);
}

void Checker::block_end(const record::BlockId& block) {
  launch_->end_block(at(block));
}

void Checker::block_runs(const record::BlockId& block) {
  launch_->enter(at(block));
}

void Checker::release(const record::Release& threads) {
  if (!launch_->log().unwritten().none()) launch_->log().unwritten().meet();
  if (threads.lanes != 0) return release_lanes(threads);
  if (!threads.threads.empty()) {
    sync().on_threads(at(threads.blocks.front()), threads.threads);
  } else if (threads.width == record::Width::block) {
    sync().on_block_barrier(at(threads.blocks.front()));
  } else {
    released_.clear();
    for (const record::BlockId& block : threads.blocks) released_.push_back(&at(block));
    sync().on_blocks(released_, threads.width == record::Width::grid);
  }
  if (threads.site.line != 0) launch_->sync().note_passed(threads.width, threads.site);
}

/// Lanes that have returned are waited for no more, and where the mask leaves them out they do not count as met.
void Checker::release_lanes(const record::Release& lanes) {
  BlockShadow& block = at(lanes.blocks.front());
  if (lanes.orders) {
    sync().on_lanes(block, lanes.warp, lanes.lanes, lanes.live | ~lanes.mask);
    launch_->sync().note_passed(record::Width::warp, lanes.site);
  }
  if (lanes.names_mask) note_mask(block, lanes);
}

/// The same lanes were at the call of an intrinsic; its mask may name others.
void Checker::note_mask(BlockShadow& block, const record::Release& lanes) {
  const auto other = block.meetings[lanes.warp].note(lanes.site, lanes.mask, lanes.lanes, lanes.live);
  if (!other.has_value()) return;
  const unsigned site = number_of_site(lanes.site);
  Violation* made = launch_->log().violations().add(ViolationKind::masks_differ, site, site);
  if (made == nullptr) return;
  const ThreadNumbering& numbering = launch_->numbering();
  const auto side = [&](std::uint64_t of) {
    const unsigned rank = lanes.warp * numbering.shape().warp_size + static_cast<unsigned>(std::countr_zero(of));
    const std::uint64_t thread = numbering.number_of(block.clocks.block(), rank);
    return Side{.thread = thread, .launch = launch_->identity().number(), .site = site};
  };
  made->two_sides = true;
  made->earlier = side(other->lanes & lanes.mask);
  made->now = side(lanes.lanes);
  made->mask = lanes.mask;
  made->value = other->mask;
}

void Checker::arrive(const void* phase) {
  sync().arrive(phase);
}

void Checker::wait(const void* phase) {
  sync().wait(phase);
}

void Checker::phase_end(const record::PhaseEnd& phase) {
  for (const record::BlockId& block : phase.cluster) at(block).met_cluster = true;
  waiting_.clear();
  for (const record::ThreadId& thread : phase.waiting) waiting_.push_back({&at(thread.block), thread.rank});
  sync().end_phase(phase.phase, waiting_);
}

void Checker::forget_phases(const void* from, std::size_t bytes) {
  launch_->sync().forget_phases(from, bytes);
}

void Checker::preempt() {
  launch_->interrupt();
}

void Checker::pause(record::PauseAt where) {
  if (where == record::PauseAt::event) launch_->flush();
  LaunchChecker* const was = std::exchange(active_checker, nullptr);
  if (pauses_++ == 0) paused_ = was;
}

/// A signal handler may come between any two steps here and in pause(), and pauses too. At the end of the launch there
/// is nothing to resume.
void Checker::resume() {
  LaunchChecker* const was = paused_;
  if (--pauses_ == 0) active_checker = was;
}

void Checker::undefine(const void* from, std::size_t bytes) {
  forget_memory(from, bytes);
}

void Checker::ignore(const void* from, std::size_t bytes) {
  launch_->outside_memory().ignore(static_cast<const char*>(from), bytes);
}

}  // namespace warpfiber::check
