// SPDX-License-Identifier: Apache-2.0
// Where a fix puts a barrier or a fence: behind all readers, in every iteration, never where only some threads come.
#include <string>
#include <vector>

#include "races.hpp"
#include "support/catch.hpp"

using namespace warpfiber;
using namespace warpfiber::races;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::StartsWith;
using record::Width;
using report::explain_races;
using report::fold_races;

namespace {

record::Finding explained(record::Finding finding, Lines& lines) {
  explain_races({&finding, 1}, lines);
  return finding;
}

/// The lines that the fix adds: "9: __syncthreads();".
std::vector<std::string> added(const record::Finding& finding) {
  std::vector<std::string> made;
  if (finding.insertions.empty()) return made;
  for (const record::Insertion& one : finding.insertions.front())
    made.push_back(std::to_string(one.line) + ": " + one.text);
  return made;
}

using Added = std::vector<std::string>;

}  // namespace

TEST_CASE("a barrier comes behind all readers of the iteration") {
  Lines lines({"__global__ void k(int* d) {", "  __shared__ int tile;", "  while (true) {",
               "    if (threadIdx.x == 0) tile = atomicAdd(&next, 1);", "    __syncthreads();",
               "    if (tile >= n) break;", "    d[tile * 64 + threadIdx.x] = tile;", "  }", "}"});
  record::Finding found = race(4, 6, Width::block, {5});
  found.object = {.name = "tile"};
  found = explained(found, lines);
  CHECK(found.fix == "__syncthreads() after line 7 and before line 4 in the next iteration of the loop at line 3");
  CHECK(added(found) == Added{"7: __syncthreads();"});
}

TEST_CASE("a barrier that some iterations leave out is named") {
  Lines lines({"__global__ void k(int* d) {", "  int t = threadIdx.x;", "  for (int o = 128; o > 0; o >>= 1) {",
               "    if (t < o) s[t] += s[t + o];", "    if (o > 32) __syncthreads();", "  }", "}"});
  const record::Finding found = explained(race(4, 4, Width::warp, {5}), lines);
  CHECK(found.fix ==
        "__syncwarp() after line 4, in every iteration of the loop at line 3; the one at line 5 is left out by some "
        "iterations");
  CHECK_THAT(found.why, ContainsSubstring("Some iterations leave out the barrier at line 5."));
  CHECK(added(found) == Added{"4: __syncwarp();"});
  REQUIRE(found.insertions.size() == 2);
  CHECK(found.insertions[1].front().text == "__syncthreads();");
}

TEST_CASE("no second barrier is put into a loop that threads leave at different times, nor between atomics") {
  Lines lines({"__global__ void k(const int* in, int n) {", "  int t = threadIdx.x;",
               "  for (int i = t; i < 36; i += blockDim.x) bins[i] = 0;", "  for (int i = t; i < n; i += blockDim.x) {",
               "    int b = in[i] % 36;", "    atomicAdd(&bins[b], 1);", "  }", "  for (int r = 0; r < 4; ++r) {",
               "    atomicAdd(&bins[r], 1);", "  }", "}"});
  record::Finding zeroed = race(3, 6, Width::block);
  zeroed.order->one_atomic = true;
  CHECK_THAT(fix_of(zeroed, lines), StartsWith("__syncthreads() after line 3 and before line 4; or make"));
  record::Finding uniform = race(3, 9, Width::block);
  uniform.order->one_atomic = true;
  CHECK_THAT(fix_of(uniform, lines), StartsWith("__syncthreads() after line 3 and before line 8; or make"));
}

TEST_CASE("a loop that some threads leave early gets no barrier") {
  Lines lines({"__global__ void k(int* d, int n) {", "  int t = threadIdx.x;", "  for (int i = 0; i < n; ++i) {",
               "    if (t > i) break;", "    s[t] = i;", "    d[t] = s[t + 1];", "  }", "}"});
  const record::Finding found = explained(race(5, 6, Width::block), lines);
  CHECK_THAT(found.fix, ContainsSubstring("threads may leave the loop at line 3 at different times"));
  CHECK(found.insertions.empty());
}

TEST_CASE("what different branches do asks for an if of its own, or a barrier of both") {
  Lines lines({"__global__ void k(int* d) {", "  if (w == 0) {", "    s[l] = l;", "  } else {", "    d[l] = s[31 - l];",
               "  }", "}"});
  CHECK(
      fix_of(race(3, 5, Width::block), lines) ==
      "end the if at line 2 after line 3, then __syncthreads() for all threads, then an if of its own for line 5; or "
      "a named barrier (bar.sync) that the threads of both lines pass between them: the same number, and the count of "
      "both");
}

TEST_CASE("a barrier for copies comes behind the wait for them") {
  Lines lines({"__global__ void k(int* d) {", "  __pipeline_memcpy_async(&s[t], &d[t], 4);", "  __pipeline_commit();",
               "  __pipeline_wait_prior(0);", "  d[t] = s[63 - t];", "}"});
  CHECK(fix_of(race(2, 5, Width::block), lines) == "__syncthreads() after line 4 and before line 5");
}

TEST_CASE("accesses of two calls of a function ask for a barrier at its end") {
  Lines lines({"template <class F> __device__ void each(int n, F f) {", "  for (int i = 0; i < n; ++i) f(i);", "}",
               "__global__ void k(int* out) {", "  each(3, [&](int i) {", "    int v = s[i];", "    __syncthreads();",
               "    s[t] = v + 1;", "  });", "}"});
  record::Finding found = race(8, 6, Width::block, {7});
  for (record::Party& party : found.parties) party.stack = {{"a.cu", 2, 0, "each"}, {"a.cu", 5, 0, "k"}};
  found = explained(found, lines);
  CHECK(found.fix == "__syncthreads() after line 8 and before line 6 in the next call");
  CHECK(added(found) == Added{"8: __syncthreads();"});
}

TEST_CASE("what a library's function does in each iteration is fixed at the call") {
  Lines lines({"__global__ void k(int* d) {", "  for (int i = 0; i < 4; ++i) {", "    Scan(temp).ExclusiveSum(x, y);",
               "  }", "}"});
  record::Finding found = race(154, 160, Width::block, {157});
  for (record::Party& party : found.parties) {
    party.place.file = "/usr/include/cub/block/scan.cuh";
    party.stack = {{"a.cu", 3, 0, "k"}};
  }
  found = explained(found, lines);
  CHECK(found.fix == "__syncthreads() after a.cu:3, before the next iteration of the loop at a.cu:2");
  CHECK(added(found) == Added{"3: __syncthreads();"});
}

TEST_CASE("a barrier in memory that was made for too few threads is named") {
  Lines lines({"__global__ void k(int* d) {", "  if (threadIdx.x == 0) init(&bar, blockDim.x / 2);",
               "  __syncthreads();", "  s[threadIdx.x] = 1;", "  bar.arrive_and_wait();",
               "  d[0] = s[63 - threadIdx.x];", "}"});
  record::Finding found = race(4, 6, Width::block, {3});
  found.launch.block = {64, 1, 1};
  found = explained(found, lines);
  CHECK(found.why ==
        "bar.arrive_and_wait() at line 5 stands between these accesses, but lets threads go on before others have "
        "arrived: it was made for 32 arrivals at line 2, and the block has 64 threads.");
  CHECK_THAT(found.fix, ContainsSubstring("64 if those are the block's"));
}

TEST_CASE("a parity that never changes is named") {
  Lines lines({"__global__ void k(int* d) {", "  for (int r = 0; r < n; ++r) {", "    s[t] = v;", "    bar.arrive();",
               "    bar.wait_parity(false);", "    v += s[t + 1];", "    __syncthreads();", "  }", "}"});
  CHECK(fix_of(race(3, 6, Width::block, {7}), lines) ==
        "change the parity that bar waits for with each phase: 0 for the first, 1 for the second, in each iteration of "
        "the loop at line 2");
}

TEST_CASE("a barrier by which roles hand over is named, and not one of the block") {
  const std::vector<std::string> text{"__global__ void k(int* d, int n) {",
                                      "  if (t == 0) { init(&full, 128); init(&empty[0], 32 * kReaders); }",
                                      "  if (warp == 0) {",
                                      "    for (int i = 0; i < n; ++i) {",
                                      "      if (i) empty[i % 2].arrive_and_wait();",
                                      "      s[l] = i;",
                                      "      (void)full.arrive();",
                                      "    }",
                                      "  } else {",
                                      "    for (int i = 0; i < n; ++i) {",
                                      "      full.arrive_and_wait();",
                                      "      v = s[31 - l];",
                                      "      (void)empty[i % 2].arrive();",
                                      "    }",
                                      "  }",
                                      "}"};
  SECTION("a count that is too small") {
    Lines lines(text);
    record::Finding found = race(6, 12, Width::block);
    std::swap(found.parties[0], found.parties[1]);
    found = explained(found, lines);
    CHECK_THAT(found.why,
               ContainsSubstring("empty[i%2].arrive_and_wait() at line 5 is to make the write at line 6 wait "
                                 "for the read at line 12") &&
                   ContainsSubstring("empty was made for 32*kReaders arrivals at line 2"));
    CHECK_THAT(found.fix, ContainsSubstring("make empty at line 2 for the number of threads"));
  }
  SECTION("the other role's barrier, where it reads before the writer has arrived") {
    Lines lines(text);
    CHECK_THAT(fix_of(race(6, 12, Width::block), lines), ContainsSubstring("make full at line 2"));
  }
  SECTION("an arrival in front of the access") {
    std::vector<std::string> early = text;
    std::swap(early[11], early[12]);
    Lines lines(early);
    record::Finding found = race(6, 13, Width::block);
    std::swap(found.parties[0], found.parties[1]);
    CHECK(fix_of(found, lines) == "empty[i%2].arrive() only behind the read at line 13: move the call from line 12");
  }
}

TEST_CASE("a wait behind the access is moved in front of it") {
  Lines lines({"__global__ void k(int* d) {", "  s[t] = t;", "  auto token = bar.arrive();", "  d[t] = s[63 - t];",
               "  bar.wait(std::move(token));", "}"});
  CHECK(fix_of(race(2, 4, Width::block), lines) == "bar.wait() in front of line 4: move the call from line 5");
  Lines roles({"__global__ void k(int* d) {", "  if (t >= 32) {", "    d[t] = s[0];", "    done.arrive_and_wait();",
               "    return;", "  }", "  auto token = done.arrive();", "  if (t == 0) s[0] = 1;",
               "  done.wait(std::move(token));", "}"});
  record::Finding found = race(8, 3, Width::block);
  std::swap(found.parties[0], found.parties[1]);
  CHECK(fix_of(found, roles) == "done.wait() in front of line 8: move the call from line 9");
}

TEST_CASE("threads that have dropped out of a barrier do not arrive again") {
  Lines lines({"__global__ void k(int* d) {", "  s[t] = t;", "  if (t >= 48) bar.arrive_and_drop();",
               "  bar.arrive_and_wait();", "  d[t] = s[63 - t];", "}"});
  record::Finding found = explained(race(2, 5, Width::block), lines);
  CHECK_THAT(found.why, ContainsSubstring("threads that have called arrive_and_drop() at line 3"));
  CHECK_THAT(found.fix, ContainsSubstring("skip all further calls on bar"));
}

TEST_CASE("what one flag hands over is one defect, and one fence is for all of it") {
  Lines lines({"__global__ void k(int* x) {", "  if (blockIdx.x == 0) {", "    x[0] = 1;", "    x[1] = 2;",
               "    atomicExch(&ready, 1);", "  } else {", "    while (atomicAdd(&ready, 0) == 0) {}",
               "    y[0] = x[0];", "    y[1] = x[1];", "  }", "}"});
  std::vector<record::Finding> found{race(3, 8, Width::grid), race(4, 9, Width::grid)};
  for (record::Finding& one : found)
    one.order->hand_over = record::HandOver{.name = "ready", .set = {"a.cu", 5, 0, "k"}, .seen = {"a.cu", 7, 0, "k"}};
  report::explain_races(found, lines);
  CHECK(found[0].fix ==
        "__threadfence() after line 4 and before ready is set at line 5, and another one after ready is read at line 7 "
        "and before line 8");
  report::fold_races(found);
  CHECK(found.size() == 1);
}

TEST_CASE("one thread that counts for its block needs a barrier before it") {
  Lines lines({"__global__ void k(float* part) {", "  part[i] = 1;", "  if (threadIdx.x == 0) {",
               "    __threadfence();", "    last = atomicAdd(count, 1) == gridDim.x - 1;", "  }", "  __syncthreads();",
               "  if (last) {", "    __threadfence();", "    s += part[j];", "  }", "}"});
  record::Finding found = race(2, 10, Width::grid, {7});
  found.order->hand_over = record::HandOver{.name = "count",
                                            .set = {"a.cu", 5, 0, "k"},
                                            .seen = {"a.cu", 5, 0, "k"},
                                            .fenced_before_set = true,
                                            .fenced_after_seen = true,
                                            .set_by_other = Width::block};
  SECTION("which is all where both fences are there") {
    found = explained(found, lines);
    CHECK(found.fix == "__syncthreads() after line 2 and before count is set at line 5");
    CHECK(found.why ==
          "One thread sets count at line 5 for others of its block, and no barrier lies between their writes at line 2 "
          "and that: they may come later.");
    CHECK(added(found) == Added{"2: __syncthreads();"});
  }
  SECTION("and a fence where there is none") {
    found.order->hand_over->fenced_before_set = false;
    CHECK(fix_of(found, lines) ==
          "__syncthreads(), then __threadfence() after line 2 and before count is set at line 5");
  }
  SECTION("which is no hand-over where all is there") {
    found.order->barriers.push_back({Width::block, {"a.cu", 3}});
    CHECK_THAT(fix_of(found, lines), ContainsSubstring("two kernel launches"));
  }
  SECTION("and a word of which only others' uses are known has to decide about the access") {
    found.order->hand_over->is_guess = true;
    CHECK_THAT(fix_of(found, lines), ContainsSubstring("__syncthreads() after line 2"));
    found.order->hand_over->seen = {"a.cu", 9, 0, "k"};
    CHECK_THAT(fix_of(found, lines), ContainsSubstring("two kernel launches"));
  }
}

TEST_CASE("the fences of a counter that is set and read at one line are both added") {
  Lines lines({"__global__ void k(float* part) {", "  part[blockIdx.x] = 1;", "  if (atomicInc(&done, n) == n - 1) {",
               "    float t = part[0];", "  }", "}"});
  record::Finding found = race(2, 4, Width::grid);
  found.order->hand_over = record::HandOver{.name = "done", .set = {"a.cu", 3, 0, "k"}, .seen = {"a.cu", 3, 0, "k"}};
  found = explained(found, lines);
  CHECK(found.fix ==
        "__threadfence() after line 2 and before done is set at line 3, and another one after done is read at line 3 "
        "and before line 4");
  CHECK(added(found) == Added{"2: __threadfence();", "3: __threadfence();"});
}

TEST_CASE("a word that is set before the data asks for no fence") {
  Lines lines({"__global__ void k() {", "  p = atomicAdd(tail, 1);", "  slots[p] = 100;",
               "  while (atomicAdd(tail, 0) < 4) {}", "  x = slots[0];", "}"});
  record::Finding found = race(3, 5, Width::grid);
  found.order->hand_over = record::HandOver{.name = "tail", .set = {"a.cu", 2, 0, "k"}, .seen = {"a.cu", 4, 0, "k"}};
  found = explained(found, lines);
  CHECK(found.why ==
        "tail is set at line 2, before the write at line 3: who reads tail at line 4 may find the old value. No fence "
        "helps.");
  CHECK_THAT(found.fix, ContainsSubstring("only after line 3"));
  CHECK(found.insertions.empty());
}

TEST_CASE("a flag beside the access that it guards, at one line, is no polled variable") {
  Lines lines({"data[l] = 1;", "flag = 1;", "while (flag == 0) {} out[l] = data[31 - l];"});
  record::Finding found = race(1, 3, Width::block);
  found.object = {.name = "data[31]"};
  found.order->hand_over = record::HandOver{.name = "flag", .set = {"a.cu", 2, 0, "k"}, .seen = {"a.cu", 3, 0, "k"}};
  CHECK(fix_of(found, lines) ==
        "__threadfence_block() after line 1 and before flag is set at line 2, and another one after flag is read at "
        "line 3 and before the access there");
}

TEST_CASE("a flag that is checked, and the data that it guards, are one finding") {
  Lines lines({"__global__ void k(int* out) {", "  if (!ready) {", "    table = 42;", "    ready = 1;", "  }",
               "  *out = table;", "}"});
  std::vector<record::Finding> both{race(3, 6, Width::grid), race(4, 2, Width::grid)};
  for (record::Finding& one : both) {
    for (record::Party& party : one.parties) party.who = {.blocks = {{}}, .threads = {{}}};
    one.parties[1].who.blocks[0].first.x = 1;
  }
  explain_races(both, lines);
  fold_races(both);
  REQUIRE(both.size() == 1);
  CHECK_THAT(both[0].fix,
             ContainsSubstring("read ready at line 2 by an acquire load and set it at line 4 by a release"));
}
