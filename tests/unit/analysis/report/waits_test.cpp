// SPDX-License-Identifier: Apache-2.0
// What the source says of a launch that cannot go on, and of a copy that is read too early.
#include "record/diagnosis.hpp"
#include "report/explain/explain.hpp"
#include "report/fixes/fix.hpp"
#include "support/catch.hpp"
#include "unit/analysis/report/races.hpp"

namespace warpfiber {
namespace {

using Catch::Matchers::ContainsSubstring;
using races::Lines;
using record::Finding;
using record::Role;

Finding stuck(unsigned line, record::Diagnosis diagnosis) {
  Finding made{.verdict = record::Verdict::deadlock, .diagnosis = std::move(diagnosis)};
  made.parties.push_back({.role = Role::wait, .place = {"a.cu", line, 0, "k"}});
  return made;
}

Finding explained(Finding finding, Lines& lines) {
  report::explain(finding);
  report::explain_hang(finding, lines);
  report::explain_copy_wait(finding, lines);
  return finding;
}

TEST_CASE("one lock that is held at a barrier is released before it") {
  Lines lines({"__global__ void k(int* d) {", "  while (atomicCAS(&lock, 0, 1)) {}", "  *d += 1;", "  __syncwarp();",
               "  atomicExch(&lock, 0);", "}"});
  Finding found = stuck(4, record::Mistake::locks_in_circle);
  found.parties.push_back({.role = Role::spin, .place = {"a.cu", 2, 0, "k"}, .object = record::ObjectFacts{"lock"}});
  found.cycle = {{1, ""}, {0, ""}};
  CHECK_THAT(explained(found, lines).fix, ContainsSubstring("release lock before __syncwarp() at line 4"));
  // Two locks are taken in an order.
  found.parties[0] = {.role = Role::spin, .place = {"a.cu", 4, 0, "k"}, .object = record::ObjectFacts{"other"}};
  CHECK(explained(found, lines).fix == "acquire the locks in the same order everywhere");
}

TEST_CASE("a pipeline whose stages are not released is said to lack that") {
  const record::PhaseIncomplete phase{.expected = 64};
  std::vector<std::string> text{"__global__ void k(int* d) {",
                                "  for (int i = 0; i < n; ++i) {",
                                "    pipe.producer_acquire();",
                                "    pipe.producer_commit();",
                                "    pipe.consumer_wait();",
                                "    d[i] = s[i % 2];",
                                "  }",
                                "}"};
  Lines lines(text);
  CHECK(explained(stuck(3, phase), lines).fix ==
        "call consumer_release() behind the last use of the stage that consumer_wait() at line 5 waits for, after line "
        "6");
  text[5] += " if (i > 3) pipe.consumer_release();";
  Lines some(text);
  CHECK_THAT(explained(stuck(3, phase), some).why, ContainsSubstring("none has"));
  CHECK_THAT(explained(stuck(3, phase), some).fix, ContainsSubstring("consumer_release() at line 6 once for each"));
}

TEST_CASE("arrivals behind arrive_and_drop(), and more than a barrier was made for, are named") {
  const record::PhaseIncomplete phase{.expected = 48, .threads_returned = true};
  Lines dropped({"__global__ void k(int* d) {", "  if (t >= 48) bar.arrive_and_drop();",
                 "  else bar.arrive_and_wait();", "  bar.arrive_and_wait();", "}"});
  CHECK_THAT(explained(stuck(4, phase), dropped).fix, ContainsSubstring("arrive_and_drop() at line 2 return"));
  Lines returned({"__global__ void k(int* d) {", "  if (t >= 48) { bar.arrive_and_drop(); return; }",
                  "  bar.arrive_and_wait();", "}"});
  CHECK_THAT(explained(stuck(3, phase), returned).fix, ContainsSubstring("call arrive_and_drop() before the return"));
  Lines many(
      {"__global__ void k(int* d) {", "  if (t < 32) (void)bar.arrive();", "  else bar.wait_parity(false);", "}"});
  Finding found = stuck(3, phase);
  found.parties[0].object.emplace().name = "bar";
  found.parties[0].object->last_write = record::Write{.place = {"a.cu", 2, 0, "k"}};
  CHECK_THAT(explained(found, many).fix, ContainsSubstring("init() bar with the number of threads that arrive"));
}

TEST_CASE("the wait for a copy belongs in front of the barrier that hands its data on") {
  Finding found{.verdict = record::Verdict::async_hazard,
                .diagnosis = record::Diagnosis(record::Mistake::copy_destination_accessed)};
  found.parties = {{.role = Role::write, .place = {"a.cu", 2, 0, "k"}},
                   {.role = Role::read, .place = {"a.cu", 5, 0, "k"}}};
  Lines lines({"__global__ void k(int* d) {", "  __pipeline_memcpy_async(&s[t], &d[t], 4);", "  __pipeline_commit();",
               "  __syncthreads();", "  d[t] = s[63 - t];", "}"});
  const Finding placed = explained(found, lines);
  CHECK(placed.fix == "__pipeline_wait_prior(0) after line 3 and before the barrier at line 4");
  REQUIRE(placed.insertions.size() == 1);
  CHECK(placed.insertions[0] == std::vector{record::Insertion{"a.cu", 3, "__pipeline_wait_prior(0);"}});
  Lines stages({"__global__ void k(int* d) {", "  cuda::memcpy_async(block, s, d, 256, pipe);",
                "  pipe.producer_commit();", "  work();", "  d[t] = s[63 - t];", "  pipe.consumer_release();", "}"});
  CHECK(explained(found, stages).fix == "consumer_wait() after line 3 and before line 5");
  Lines prior({"__global__ void k(int* d) {", "  for (;;) { __pipeline_memcpy_async(&s[t], &d[t], 4);",
               "  __pipeline_wait_prior(1);", "  __syncthreads();", "  d[t] = s[63 - t]; }", "}"});
  const Finding partial = explained(found, prior);
  CHECK_THAT(partial.why, ContainsSubstring("__pipeline_wait_prior(1) at line 3 lets the newest batches go on"));
  CHECK_THAT(partial.fix, ContainsSubstring("__pipeline_wait_prior(0) at line 3 in iterations of the loop at line 2"));
}

}  // namespace
}  // namespace warpfiber
