// SPDX-License-Identifier: Apache-2.0
// What is kept of a launch, from events without a kernel.
#include "trace/recorder.hpp"

#include <optional>

#include "memory/shared_arena.hpp"
#include "support/catch.hpp"
#include "trace/trace.hpp"

namespace warpfiber::trace {
namespace {

/// A launch of blocks of one thread.
class Launch {
 public:
  Launch(Trace& trace, unsigned blocks, std::uint64_t number = 1) : factory_(trace) {
    order_.number = number;
    facts_.grid = {blocks, 1, 1};
    observer_ = factory_.make();
    observer_->launch_begin({.grid = facts_.grid, .order = order_, .facts = facts_});
  }

  record::Observer& operator*() { return *observer_; }

  /// A block that comes `accesses` times to one instruction.
  void run_block(std::uint64_t rank, unsigned accesses) {
    begin_block(rank);
    for (unsigned i = 0; i < accesses; ++i) access();
    observer_->block_end({rank, 0});
  }

  void begin_block(std::uint64_t rank) {
    observer_->block_begin({rank, 0}, arena_);
    observer_->block_runs({rank, 0});
  }

  void access() {
    observer_->access({.address = &word_, .bytes = sizeof word_, .writes = true, .instruction = &word_});
  }

  void end(std::optional<record::Finding> ended_by = std::nullopt) {
    std::vector<record::Finding> found;
    std::uint64_t dropped = 0;
    observer_->launch_end({ended_by, found, dropped});
  }

 private:
  TraceFactory factory_;
  record::LaunchOrder order_;
  record::LaunchFacts facts_;
  memory::SharedArena arena_;
  std::unique_ptr<record::Observer> observer_;
  int word_ = 0;
};

const std::vector<LaunchTrace>& launches(const Trace& trace) {
  const base::Lock lock(trace.mutex());
  return trace.launches();
}

const std::vector<OperationTrace>& operations(const Trace& trace) {
  const base::Lock lock(trace.mutex());
  return trace.operations();
}

std::uint64_t left_out_launches(const Trace& trace) {
  const base::Lock lock(trace.mutex());
  return trace.left_out_launches();
}

std::vector<std::uint64_t> kept(const Trace& trace) {
  std::vector<std::uint64_t> ranks;
  for (const BlockTrace& block : launches(trace).at(0).workers.at(0).blocks) ranks.push_back(block.rank);
  return ranks;
}

record::Finding finding_in(unsigned block) {
  record::Finding finding{.verdict = record::Verdict::trap};
  record::Party& party = finding.parties.emplace_back();
  party.who.blocks = {{{block, 0, 0}, {block, 0, 0}}};
  return finding;
}

}  // namespace

TEST_CASE("the first, the last and one more block are kept, and those of findings") {
  Trace trace;
  const std::uint64_t sampled = sampled_block(1, 100);
  Launch launch(trace, 100);
  for (unsigned rank = 0; rank < 100; ++rank) launch.run_block(rank, 1);
  launch.end(finding_in(sampled == 7 ? 8 : 7));
  std::vector<std::uint64_t> expected{0, sampled, 99, sampled == 7 ? 8U : 7U};
  std::sort(expected.begin(), expected.end());
  CHECK(kept(trace) == expected);
  const WorkerTrace& worker = launches(trace)[0].workers[0];
  CHECK(worker.left_out_blocks == 96);
  CHECK(worker.residencies.size() == 100);
  CHECK(worker.sites.at(0).writes == 100);
  CHECK(launches(trace)[0].found == std::vector{record::Verdict::trap});
}

TEST_CASE("further accesses of a thread by one instruction are counted up to the next barrier") {
  Trace trace;
  Launch launch(trace, 1);
  launch.begin_block(0);
  for (unsigned i = 0; i < kEachThread + 3; ++i) launch.access();
  const record::BlockId block{0, 0};
  (*launch).release({.blocks = {&block, 1}});
  launch.access();
  (*launch).block_end(block);
  launch.end();
  const std::vector<TraceEvent>& events = launches(trace)[0].workers[0].blocks[0].events;
  REQUIRE(events.size() == kEachThread + 2);
  CHECK(events[kEachThread - 1].repeats == 3);
  CHECK(events[kEachThread - 1].spins == 3);
  CHECK(events[kEachThread - 1].last == events[kEachThread - 1].step + 3);
  CHECK(events[kEachThread].kind == TraceEventKind::release);
  CHECK(events.back().repeats == 0);
}

TEST_CASE("a block that never ends has no end") {
  Trace trace;
  Launch launch(trace, 1);
  launch.begin_block(0);
  launch.end();
  CHECK(launches(trace)[0].workers[0].blocks[0].end == 0);
}

TEST_CASE("launches beyond those of a trace are counted") {
  Trace trace;
  for (unsigned number = 1; number <= kLaunches + 2; ++number) Launch(trace, 1, number).end();
  CHECK(launches(trace).size() == kLaunches);
  CHECK(left_out_launches(trace) == 2);
}

TEST_CASE("steps count the events of all launches and streams") {
  Trace trace;
  const record::StreamOperation operation{.number = 1, .stream = 3};
  trace.operation_submitted(operation);
  trace.operation_begins(operation);
  Launch launch(trace, 1);
  launch.run_block(0, 2);
  launch.end();
  trace.operation_ends(operation);
  REQUIRE(operations(trace).size() == 1);
  CHECK(operations(trace)[0].begin == 2);
  CHECK(operations(trace)[0].end == 9);
  CHECK(trace.steps() == 9);
}

}  // namespace warpfiber::trace
