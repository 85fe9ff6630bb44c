// SPDX-License-Identifier: Apache-2.0
// Each event of a launch goes to the parts that it concerns, and the end of the launch makes findings.
#include "check/launch/checker.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "check/findings.hpp"

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
  if (watch_ != nullptr && watching == watch_.get()) watching = nullptr;
}

void Checker::launch_begin(const record::LaunchBegin& launch) {
  facts_ = &launch.facts;
  pauses_ = 0;
  watch_ = std::make_unique<Watch>(
      Shape{.grid = launch.grid, .block = launch.block, .cluster = launch.cluster, .warp_size = launch.warp_size},
      launch.order, launch.stack_owner);
  if (launch.check.lock_step) watch_->see_lock_step();
  callers_.begin(launch.runs_threads);
  watch_->ask(callers_);
  if (host_memory_) watch_->ask_host_memory(host_memory_);
  if (launch.check.last_writes) watch_->keep_last_writes();
  if (launch.check.strict) watch_->be_strict();
  watch_->arguments(launch.arguments, launch.argument_bytes);
  watching = watch_.get();
}

void Checker::launch_end(const record::LaunchEnd& launch) {
  watch_->put_down();
  watching = nullptr;
  std::optional<record::Finding>& ended_by = launch.ended_by;
  std::ranges::move(findings_of(*watch_, *facts_, cut_of(ended_by)), std::back_inserter(launch.found));
  const bool refused = ended_by.has_value() && is_refused_access(*ended_by);
  if (auto known = finding_of_refused(*watch_, *facts_); refused && known.has_value()) ended_by = std::move(known);
  if (ended_by.has_value() && ended_by->verdict == record::Verdict::cg_misuse) {
    if (auto early = early_read(*watch_, *facts_)) ended_by->parties.push_back(std::move(*early));
  }
  launch.dropped += watch_->cases().dropped();
  watch_.reset();
}

std::vector<record::Finding> Checker::findings_so_far() const {
  if (watch_ == nullptr) return {};
  return findings_of(*watch_, *facts_, Cut::stopped);
}

void Checker::block_begin(const record::BlockId& block, const memory::SharedArena& shared) {
  if (block.slot >= blocks_.size()) blocks_.resize(block.slot + 1);
  auto& made = blocks_[block.slot];
  if (made == nullptr) made = std::make_unique<WatchedBlock>();
  watch_->start(*made, block.rank, shared);
}

void Checker::block_end(const record::BlockId& block) {
  watch_->finish(at(block));
}

void Checker::block_runs(const record::BlockId& block) {
  watch_->run(at(block));
}

void Checker::release(const record::Release& threads) {
  if (threads.lanes != 0) return release_lanes(threads);
  if (!threads.threads.empty()) {
    watch_->meet_threads(at(threads.blocks.front()), threads.threads);
  } else if (threads.width == record::Width::block) {
    watch_->meet_block(at(threads.blocks.front()));
  } else {
    released_.clear();
    for (const record::BlockId& block : threads.blocks) released_.push_back(&at(block));
    watch_->meet_blocks(released_, threads.width == record::Width::grid);
  }
  if (threads.site.line != 0) watch_->passed(threads.width, threads.site);
}

/// Lanes that have returned are waited for no more, and where the mask leaves them out they do not count as met.
void Checker::release_lanes(const record::Release& lanes) {
  WatchedBlock& block = at(lanes.blocks.front());
  watch_->meet_lanes(block, lanes.warp, lanes.lanes, lanes.live | ~lanes.mask);
  watch_->passed(record::Width::warp, lanes.site);
  if (lanes.names_mask) watch_->note_mask(block, lanes.warp, {lanes.site, lanes.mask, lanes.lanes}, lanes.live);
}

void Checker::arrive(const void* phase) {
  watch_->arrive(phase);
}

void Checker::wait(const void* phase) {
  watch_->wait(phase);
}

void Checker::phase_end(const record::PhaseEnd& phase) {
  for (const record::BlockId& block : phase.cluster) at(block).met_cluster = true;
  waiting_.clear();
  for (const record::ThreadId& thread : phase.waiting) waiting_.push_back({&at(thread.block), thread.rank});
  watch_->open_split(phase.phase, waiting_);
}

void Checker::forget_phases(const void* from, std::size_t bytes) {
  watch_->forget_tokens(from, bytes);
}

void Checker::preempt() {
  watch_->interrupt();
}

void Checker::pause(record::PauseAt where) {
  if (where == record::PauseAt::event) watch_->put_down();
  if (pauses_++ == 0) watching = nullptr;
}

void Checker::resume() {
  if (--pauses_ == 0) watching = watch_.get();
}

void Checker::undefine(const void* from, std::size_t bytes) {
  Watch::fresh(from, bytes);
}

void Checker::ignore(const void* from, std::size_t bytes) {
  watch_->leave_alone(static_cast<const char*>(from), bytes);
}

}  // namespace warpfiber::check
