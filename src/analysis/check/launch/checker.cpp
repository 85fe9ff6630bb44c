// SPDX-License-Identifier: Apache-2.0
// Each event of a launch goes to the parts that it concerns, and the end of the launch makes findings.
#include "check/launch/checker.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "check/calls/callers.hpp"
#include "check/cells/sites.hpp"
#include "check/launch/findings.hpp"
#include "check/launch/launch_checker.hpp"
#include "check/launch/related_violations.hpp"
#include "instrument/x86/moved_value.hpp"
#include "symbols/symboliser.hpp"

namespace warpfiber::check {
namespace {

// Which moves of unwritten values to global memory are nothing but moves. A store that leaves the value as it was does
// not show what else the thread has done with it; compiled code does. Called when no thread of the launch runs.

std::string symbol_of(const std::uint8_t* code) {
  return symbols::Symboliser::of_process().symbol(reinterpret_cast<std::uintptr_t>(code));
}

/// Hooks of single accesses, and checks of their addresses.
bool is_hook(const std::uint8_t* function) {
  constexpr std::array<std::string_view, 8> kHooks = {
      "__tsan_read",     "__tsan_write",     "__tsan_unaligned_",          "__tsan_volatile_",
      "warpfiber_read4", "warpfiber_write4", "__warpfiber_expect_aligned", "__ubsan_handle_type_mismatch"};
  const std::string name = symbol_of(function);
  return std::ranges::any_of(kHooks, [&name](std::string_view hook) { return name.starts_with(hook); });
}

/// memcpy() and the like do nothing else.
bool is_copy(const std::uint8_t* after_call) {
  const std::uint8_t* const called = instrument::x86::called_before(after_call);
  return called != nullptr && symbol_of(called).starts_with("__tsan_mem");
}

bool only_moves(const Violation& moved) {
  const auto* const code = static_cast<const std::uint8_t*>(instruction_of_site(moved.now.site));
  if (code == nullptr || symbol_of(code - 1).empty()) return false;
  return is_copy(code) ? moved.by_copies : instrument::x86::only_moves(code, is_hook);
}

/// Whether the same two places have a violation of their own already.
bool is_known_use(const std::vector<Violation>& all, const Violation& moved) {
  return std::ranges::any_of(all, [&moved](const Violation& one) {
    return one.kind == ViolationKind::uninitialised && one.now.site == moved.now.site &&
           one.two_sides == moved.two_sides && (!one.two_sides || one.earlier.site == moved.earlier.site);
  });
}

/// Whether the launch uses what was moved by the same load: that is the error then.
bool is_used_elsewhere(const std::vector<Violation>& all, const Violation& moved) {
  return std::ranges::any_of(all, [&moved](const Violation& one) {
    return one.kind == ViolationKind::uninitialised && one.two_sides && one.earlier.site == moved.now.site;
  });
}

/// Moves to global memory at whose loads the code does more with the value, or may, become uses: then what they have
/// stored counts as written.
void settle_moves(LaunchChecker& launch) {
  std::vector<Violation>& all = launch.log().violations().all();
  for (Violation& one : all) {
    if (one.kind != ViolationKind::moved || !one.to_global) continue;
    // A load that came before the write: the race is the defect, and what follows from it is none.
    const bool follows = is_explained(all, one);
    if (!follows && only_moves(one)) continue;
    launch.log().unwritten().write_moved(one.now.site);
    if (follows) continue;
    if (!is_known_use(all, one) && !is_used_elsewhere(all, one)) one.kind = ViolationKind::uninitialised;
    one.to_global = false;
  }
}

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
