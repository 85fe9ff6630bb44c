// SPDX-License-Identifier: Apache-2.0
// Executions of lines and waits at barriers, from lists of statements without a kernel.
#include "profile/executed_lines.hpp"

#include "support/catch.hpp"

namespace warpfiber::profile {
namespace {

void run(ExecutedLines& lines, unsigned thread, unsigned line, unsigned times = 1) {
  for (unsigned i = 0; i < times; ++i) lines.statement(lines.of(0, thread), {"a.cu", line, 0}, 0);
}

}  // namespace

TEST_CASE("a line has the executions of its warps and the threads that took part") {
  ExecutedLines lines;
  lines.begin(48);
  lines.block_begin(0);
  for (unsigned thread = 0; thread < 48; ++thread) {
    run(lines, thread, 1);
    if (thread % 2 == 0) run(lines, thread, 2, 3);
  }
  const auto sums = lines.take();
  REQUIRE(sums.size() == 2);
  CHECK(sums.at({"a.cu", 1}) == LineCounters{.executions = 2, .threads = 48, .by_all = 2});
  CHECK(sums.at({"a.cu", 2}) == LineCounters{.executions = 6, .threads = 72, .by_all = 0});
  CHECK(lines.take().empty());
}

TEST_CASE("a file's name counts, not its address") {
  ExecutedLines lines;
  lines.begin(1);
  lines.block_begin(0);
  static const char other[] = "a.cu";
  run(lines, 0, 1);
  lines.statement(lines.of(0, 0), {other, 1, 0}, 0);
  CHECK(lines.take().at({"a.cu", 1}).executions == 2);
}

TEST_CASE("a thread waits for what others execute beyond it since the last barrier") {
  ExecutedLines lines;
  lines.begin(4);
  lines.block_begin(0);
  for (unsigned thread = 0; thread < 4; ++thread) run(lines, thread, 1, 1 + thread);
  const record::BlockId block{.rank = 9, .slot = 0};
  const BarrierWait first = lines.complete_barrier({&block, 1});
  CHECK(first.steps == 3 + 2 + 1);
  CHECK(first.longest == 3);
  CHECK(first.block == 9);
  CHECK(first.thread == 0);
  for (unsigned thread = 0; thread < 4; ++thread) run(lines, thread, 2);
  CHECK(lines.complete_barrier({&block, 1}).longest == 0);
}

TEST_CASE("threads that have returned wait for nobody and nobody waits for them") {
  ExecutedLines lines;
  lines.begin(3);
  lines.block_begin(0);
  const record::BlockId block{.rank = 0, .slot = 0};
  run(lines, 0, 1);
  run(lines, 1, 1, 9);
  run(lines, 2, 1, 4);
  lines.threads_end({block, 1, 2});
  const BarrierWait wait = lines.complete_barrier({&block, 1});
  CHECK(wait.longest == 3);
  CHECK(wait.thread == 0);
}

TEST_CASE("of several that waited longest the first is named, whichever worker adds first") {
  const MeetingCounters first{.longest_wait = 5, .block = {1, 0, 0}, .thread = {2, 0, 0}};
  const MeetingCounters second{.longest_wait = 5, .block = {1, 1, 0}, .thread = {0, 0, 0}};
  const MeetingCounters shorter{.longest_wait = 4, .block = {0, 0, 0}, .thread = {0, 0, 0}};
  for (const bool is_swapped : {false, true}) {
    MeetingCounters sum;
    sum += is_swapped ? second : first;
    sum += is_swapped ? first : second;
    sum += shorter;
    CHECK(sum.longest_wait == 5);
    CHECK(sum.block == first.block);
    CHECK(sum.thread == first.thread);
  }
}

TEST_CASE("executions that there is no room for are said to be left out") {
  ExecutedLines lines(2);
  lines.begin(1);
  lines.block_begin(0);
  run(lines, 0, 1, 5);
  CHECK(lines.take().at({"a.cu", 1}).executions == 2);
  CHECK(lines.take_left_out() == 3);
}

}  // namespace warpfiber::profile
