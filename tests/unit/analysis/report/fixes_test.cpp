// SPDX-License-Identifier: Apache-2.0
// The fix of a race names the barrier, the lines between which it belongs, or the flag whose fence is missing.
#include <string>
#include <vector>

#include "races.hpp"
#include "support/catch.hpp"

using namespace warpfiber;
using namespace warpfiber::races;
using record::Width;
using report::explain_races;
using report::fold_divergence;
using report::fold_races;

namespace {

Lines tiled() {
  return Lines({"__global__ void k(int* d) {", "  __shared__ int s[64], t[64];", "  for (int i = 0; i < 4; ++i) {",
                "    s[threadIdx.x] = d[i];", "    t[threadIdx.x] = d[i];", "    __syncthreads();",
                "    d[i] = s[63 - threadIdx.x];", "  }", "}"});
}

}  // namespace

TEST_CASE("a barrier is missing where none was passed between the two lines") {
  Lines lines = tiled();
  CHECK(fix_of(race(4, 7, Width::block, {6}), lines) ==
        "__syncthreads() after line 7 and before line 4 in the next iteration of the loop at line 3");
  CHECK(fix_of(race(4, 7, Width::warp), lines) ==
        "__syncwarp() after line 4 and before line 7, and another one after line 7 and before line 4 in the next "
        "iteration of the loop at line 3");
}

TEST_CASE("races that one barrier ends get the barrier that all of them need") {
  Lines lines = tiled();
  std::vector<record::Finding> both{race(4, 7, Width::warp, {6}), race(5, 7, Width::block, {6})};
  explain_races(both, lines);
  CHECK(both[0].fix == both[1].fix);
  CHECK(both[0].fix == "__syncthreads() after line 7 and before line 4 in the next iteration of the loop at line 3");
}

TEST_CASE("a barrier is placed outside the branch of an access") {
  Lines lines({"__global__ void k(int* d) {", "  if (threadIdx.x < 9) {", "    s[threadIdx.x] = 1;", "  }", "",
               "  *d = s[0];", "}"});
  CHECK(fix_of(race(3, 6, Width::block), lines) == "__syncthreads() after line 4 and before line 6");
}

TEST_CASE("an update by several threads at one line asks for its atomic function") {
  Lines lines({"h[bin] += 1;"});
  record::Finding update = race(1, 1, Width::block);
  update.order->both_write = true;
  CHECK(fix_of(update, lines) == "atomicAdd() in place of the plain update, or let one thread do it for all");
}

TEST_CASE("a flag asks for the fence of the side that has none") {
  Lines lines({"data = 1;", "flag = 1;", "while (flag == 0) {}", "use(data);"});
  record::Finding payload = race(1, 4, Width::grid);
  payload.order->hand_over = record::HandOver{.set = {"a.cu", 2}, .seen = {"a.cu", 3}, .fenced_after_seen = true};
  CHECK(fix_of(payload, lines) == "__threadfence() after line 1 and before flag is set at line 2");
  payload.order->hand_over->fenced_before_set = true;
  payload.order->hand_over->fenced_after_seen = false;
  CHECK(fix_of(payload, lines) == "__threadfence() after flag is read at line 3 and before line 4");
}

TEST_CASE("a fence for the block is not enough between blocks") {
  Lines lines({"data = 1;", "flag = 1;", "while (flag == 0) {}", "use(data);"});
  record::Finding payload = race(1, 4, Width::grid);
  payload.order->hand_over =
      record::HandOver{.set = {"a.cu", 2}, .seen = {"a.cu", 3}, .fenced_after_seen = true, .narrow_before_set = true};
  explain_races({&payload, 1}, lines);
  CHECK(payload.why ==
        "The write at line 1 may become visible after flag is set at line 2: what orders them does so only for threads "
        "of their block.");
  CHECK(payload.fix ==
        "__threadfence() after line 1 and before flag is set at line 2, instead of a fence for the block");
}

TEST_CASE("a counter that is changed before both accesses is no flag") {
  Lines lines({"int j = atomicAdd(i, x);", "a[j] = threadIdx.x;"});
  record::Finding both = race(2, 2, Width::warp);
  both.order->both_write = true;
  both.order->hand_over = record::HandOver{.name = "i", .set = {"a.cu", 1, 0, "k"}, .seen = {"a.cu", 1, 0, "k"}};
  CHECK(fix_of(both, lines) == "let one thread write it, or give each thread an element of its own; or an atomic");
}

TEST_CASE("a plain store to a flag that is polled through volatile is what is wrong") {
  Lines lines({"*flag = 1;", "while (*(volatile int*)flag == 0) {}"});
  record::Finding flag = race(1, 2, Width::grid);
  flag.parties[1].strong = true;
  CHECK(fix_of(flag, lines).starts_with("make the write at line 1 atomic or volatile as well"));
}

TEST_CASE("an update in a loop needs a barrier between its read and its write as well") {
  Lines lines({"__global__ void k(int* d) {", "  for (int n = 16; n > 0; n /= 2) s[t] += s[t + n];", "}"});
  CHECK(fix_of(race(2, 2, Width::warp), lines) ==
        "read the value into a variable, then __syncwarp(), then write, then __syncwarp(), in every iteration of the "
        "loop at line 2");
}

TEST_CASE("a polled variable asks for an atomic or volatile load") {
  Lines lines({"*flag = 1;", "while (*flag == 0) {}"});
  CHECK(fix_of(race(1, 2, Width::grid), lines).starts_with("poll with an atomic load"));
}

TEST_CASE("arrays that overlap are told from a missing barrier") {
  Lines lines({"out[i] = in[i];"});
  record::Finding shifted = race(1, 1, Width::grid);
  shifted.order->pointers_apart = 4;
  CHECK(fix_of(shifted, lines) == "pass arrays out and in that do not overlap");
}

TEST_CASE("a check and the write that depends on it ask for one atomic function") {
  Lines lines({"__global__ void k(int* level, int d) {", "  for (int e = 0; e < 9; ++e) {", "    if (level[e] == -1) {",
               "      level[e] = d;", "    }", "    if (d > *best) *best = d;", "  }", "}"});
  CHECK(fix_of(race(4, 3, Width::warp), lines) ==
        "one atomic function in place of the check at line 3 and the write at line 4, such as atomicCAS()");
  CHECK(fix_of(race(6, 6, Width::grid), lines) ==
        "one atomic function in place of the check and the write at line 6, such as atomicMin(), atomicMax() or "
        "atomicCAS()");
}

TEST_CASE("a loop whose barrier some threads have missed gets no further one before it is even") {
  Lines lines({"__global__ void k(const int* in, int* out) {", "  for (int i = threadIdx.x; i < n; i += 64) {",
               "    s[threadIdx.x] = in[i];", "    __syncthreads();", "    out[i] = s[63 - threadIdx.x];", "  }", "}"});
  std::vector<record::Finding> findings{race(5, 3, Width::block, {4})};
  record::Finding& missed = findings.emplace_back();
  missed.verdict = record::Verdict::barrier_divergence;
  missed.parties.push_back({.place = {"a.cu", 4, 0, "k"}, .what = "__syncthreads()"});
  report::explain_races(findings, lines);
  CHECK(findings[0].fix ==
        "let all threads make as many iterations of the loop at line 2, and then __syncthreads() after line 5 and "
        "before line 3 in the next iteration of the loop at line 2");
  CHECK(findings[0].insertions.empty());
}

TEST_CASE("a loop that a race makes uneven gets the barrier that ends the race") {
  Lines lines({"__global__ void k(int* out) {", "  while (true) {",
               "    if (threadIdx.x == 0) job = atomicAdd(&next, 1);", "    __syncthreads();",
               "    if (job >= 8) break;", "    out[job] = 1;", "  }", "}"});
  std::vector<record::Finding> findings{race(3, 5, Width::block, {4})};
  std::swap(findings[0].parties[0], findings[0].parties[1]);
  record::Finding& missed = findings.emplace_back();
  missed.verdict = record::Verdict::barrier_divergence;
  missed.parties.push_back({.place = {"a.cu", 4, 0, "k"}, .what = "__syncthreads()"});
  report::explain_races(findings, lines);
  CHECK(findings[0].fix.starts_with("__syncthreads() after line"));
}

TEST_CASE("no barrier is placed where threads may take different ways") {
  Lines lines({"__global__ void k(int* d, int n) {", "  int first = threadIdx.x;",
               "  for (int i = first; i < n; i += 32) {", "    s[i] = d[i];", "    d[i] = s[n - i];", "  }",
               "  if (first < n) {", "    s[first] = 1;", "    d[first] = s[0];", "  }", "}"});
  CHECK(fix_of(race(4, 5, Width::block), lines) ==
        "let all threads make as many iterations, with the work behind an if and __syncthreads() outside of that, or a "
        "loop for each side with __syncthreads() between the two: threads may leave the loop at line 3 at different "
        "times, so a barrier in it as it is would be divergent");
  CHECK(fix_of(race(8, 9, Width::block), lines) ==
        "end the branch at line 7 after line 8, then __syncthreads() for all threads, then a branch with the same "
        "condition");
  SECTION("which a barrier that they have passed there disproves") {
    CHECK(fix_of(race(4, 5, Width::block, {5}), lines).starts_with("__syncthreads() after line 4 and before line 5"));
  }
}

TEST_CASE("what a plain flag hands over asks for a flag that orders") {
  Lines lines({"data = 1;", "flag = 1;", "while (flag == 0) {}", "use(data);"});
  std::vector<record::Finding> both{race(2, 3, Width::grid), race(1, 4, Width::grid)};
  for (record::Finding& one : both) {
    for (record::Party& party : one.parties) party.who = {.blocks = {{}}, .threads = {{}}};
    one.parties[1].who.blocks[0].first.x = 1;
  }
  explain_races(both, lines);
  CHECK(both[1].why == "The accesses to flag at line 2 and line 3 are plain, so they do not order these two accesses.");
  CHECK(
      both[1].fix ==
      "make flag atomic or volatile, with a __threadfence() before it is set at line 2 and after it is read at line 3");
  fold_races(both);
  CHECK(both.size() == 1);
}

TEST_CASE("a barrier comes after all writes of what is read behind it") {
  Lines lines({"__global__ void k(int* d) {", "  int t = threadIdx.x;", "  s[t + 1] = d[t];", "  if (t == 0) s[0] = 0;",
               "  if (t == 63) {", "    s[65] = 0;", "  }", "  d[t] = s[t] + s[t + 2];", "}"});
  CHECK(fix_of(race(3, 8, Width::block), lines) == "__syncthreads() after line 7 and before line 8");
}

TEST_CASE("a loop that updates in place needs a barrier in each iteration as well") {
  Lines lines({"__global__ void k(int* d) {", "  int t = threadIdx.x;", "  s[t] = d[t];",
               "  for (int n = 32; n > 0; n /= 2) {", "    if (t < n) s[t] += s[t + n];", "  }", "}"});
  CHECK(fix_of(race(3, 5, Width::block), lines) ==
        "__syncthreads() after line 3 and before line 4, and another one at the end of each iteration of the loop at "
        "line 4");
  CHECK(fix_of(race(3, 5, Width::block, {6}), lines) == "__syncthreads() after line 3 and before line 4");
}

TEST_CASE("a row of updates in lock-step is one defect") {
  Lines lines({"__global__ void k(int* d) {", "  int t = threadIdx.x;", "  if (t < 32) {", "    s[t] += s[t + 32];",
               "    s[t] += s[t + 16];", "    s[t] += s[t + 8];", "  }", "}"});
  std::vector<record::Finding> two{race(4, 6, Width::warp), race(4, 5, Width::warp)};
  explain_races(two, lines);
  fold_races(two);
  REQUIRE(two.size() == 1);
  CHECK(two[0].fix ==
        "at each of the updates from line 4 to line 6, read the values into variables, then __syncwarp(), then write, "
        "then __syncwarp(); or exchange the values with __shfl_down_sync()");
}

TEST_CASE("races that one change mends are one finding with all of their accesses") {
  Lines lines = tiled();
  std::vector<record::Finding> both{race(4, 7, Width::block, {6}), race(5, 7, Width::block, {6})};
  both[0].object = {.name = "s[1]"};
  both[1].object = {.name = "t[2]"};
  both[1].repeats = 3;
  explain_races(both, lines);
  fold_races(both);
  REQUIRE(both.size() == 1);
  REQUIRE(both[0].parties.size() == 4);
  CHECK(both[0].parties[2].object->name == "t[2]");
  CHECK(both[0].repeats == 3);
  CHECK(both[0].why == "No barrier separates these accesses.");
}

TEST_CASE("races that need different changes stay findings of their own") {
  Lines lines({"__global__ void k(int* d) {", "  s[threadIdx.x] = 1;", "  d[0] = s[1];", "  s[threadIdx.x] = 2;",
               "  d[1] = s[2];", "}"});
  std::vector<record::Finding> both{race(2, 3, Width::block), race(4, 5, Width::block)};
  explain_races(both, lines);
  fold_races(both);
  CHECK(both.size() == 2);
  std::vector<record::Finding> updates{race(2, 2, Width::block), race(4, 4, Width::block)};
  for (record::Finding& update : updates) update.order->both_write = true;
  explain_races(updates, lines);
  fold_races(updates);
  CHECK(updates.size() == 2);
}

TEST_CASE("a race on the condition of a loop explains who misses the barriers in it") {
  Lines lines({"__global__ void k(int* d) {", "  do {", "    if (threadIdx.x == 0) more = false;",
               "    __syncthreads();", "  } while (more);", "  __syncthreads();", "}"});
  const auto missed = [](unsigned line) {
    record::Finding made{.verdict = record::Verdict::barrier_divergence};
    made.parties = {{.role = record::Role::wait, .place = {"a.cu", line, 0, "k"}, .what = "__syncthreads()"}};
    return made;
  };
  record::Finding condition = race(3, 5, Width::block, {4});
  condition.object = {.name = "more"};
  std::vector<record::Finding> all{missed(4), missed(6), condition};
  explain_races(all, lines);
  fold_divergence(all, lines);
  REQUIRE(all.size() == 2);
  CHECK(all[0].parties[0].place.line == 6);
  CHECK(all[1].why ==
        "No barrier separates these two accesses. Threads may then leave the loop at line 2 at different times: some "
        "did not reach the __syncthreads() at line 4, where others waited.");
}

TEST_CASE("a race at a line that goes out of bounds says so") {
  Lines lines({"s[threadIdx.x] = 1;", "t = s[0];"});
  std::vector<record::Finding> both{{.verdict = record::Verdict::oob_shared}, race(1, 2, Width::block)};
  both[0].parties = {{.role = record::Role::write, .place = {"a.cu", 1, 0, "k"}}};
  explain_races(both, lines);
  CHECK_THAT(both[1].why, Catch::Matchers::ContainsSubstring("An access at line 1 is out of bounds"));
}
