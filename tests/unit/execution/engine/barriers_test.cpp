// SPDX-License-Identifier: Apache-2.0
// Block barriers: whoever has left is not waited for, nobody passes early, predicates are combined over those present.
#include <algorithm>
#include <vector>

#include "base/random.hpp"
#include "support/launches.hpp"

using namespace warpfiber;
using namespace warpfiber::test;

namespace {

struct Counts {
  int* entered;  // by each thread
  int* passed;   // phases seen by each block
  int* early;    // threads that passed a barrier before everybody had come
};

struct Tally {
  std::vector<int> entered, passed, early{std::vector<int>(1)};

  Tally(std::size_t blocks, std::size_t threads) : entered(blocks * threads), passed(blocks) {}
  Counts counts() { return {entered.data(), passed.data(), early.data()}; }
};

/// One phase that `present` threads of the block take part in.
void phase(const Counts& counts, int number, int present) {
  int* arrived = &counts.passed[blockIdx.x];
  atomicAdd(arrived, 1);
  __syncthreads();
  if (atomicAdd(arrived, 0) != (number + 1) * present) atomicAdd(counts.early, 1);
  __syncthreads();
}

/// The commonest of all kernels: threads beyond the end leave, the others meet.
void leave_early(Counts counts, unsigned first, unsigned last, int phases) {
  ++counts.entered[global_rank()];
  const unsigned self = detail::thread_rank();
  if (self < first || self >= last) return;
  for (int i = 0; i < phases; ++i) phase(counts, i, static_cast<int>(last - first));
}

/// Thread t takes part in t % 4 + 1 phases and leaves.
void leave_one_after_another(Counts counts) {
  ++counts.entered[global_rank()];
  const int mine = static_cast<int>(threadIdx.x % 4) + 1;
  for (int i = 0; i < mine; ++i) {
    atomicAdd(&counts.passed[blockIdx.x], 1);
    __syncthreads();
    const int stay = static_cast<int>(blockDim.x) / 4;
    int expected = 0;
    for (int p = 0; p <= i; ++p) expected += stay * (4 - p);
    if (atomicAdd(&counts.passed[blockIdx.x], 0) < expected) atomicAdd(counts.early, 1);
  }
}

void reduce_tree(const int* in, int* out) {
  int* values = dynamic_shared<int>();
  const unsigned self = threadIdx.x;
  values[self] = in[global_rank()];
  for (unsigned size = blockDim.x; size > 1; size = (size + 1) / 2) {
    __syncthreads();
    const unsigned half = (size + 1) / 2;
    if (self + half < size) values[self] += values[self + half];
  }
  __syncthreads();
  out[global_rank()] = values[0];
}

struct Verdicts {
  int count, all, any;
};

void ask_all(const int* brings, unsigned present, Verdicts* verdicts) {
  const unsigned self = threadIdx.x;
  if (self >= present) return;
  Verdicts& mine = verdicts[self];
  mine.count = __syncthreads_count(brings[self]);
  mine.all = __syncthreads_and(brings[self]);
  mine.any = __syncthreads_or(brings[self]);
}

}  // namespace

TEST_CASE("threads that leave before a barrier are not waited for and not run again") {
  const Way way = every_way();
  const unsigned threads = GENERATE(1U, 31U, 64U, 96U, 200U);
  const unsigned present = GENERATE_COPY(1U, threads / 2 + 1, threads - threads / 5);
  const int phases = GENERATE(1, 8);
  CAPTURE(way, threads, present, phases);
  Tally tally(3, threads);
  good_launch(way.apply({.grid = 3, .block = threads}), leave_early, tally.counts(), 0U, present, phases);
  CHECK(tally.entered == std::vector<int>(tally.entered.size(), 1));
  CHECK(tally.passed == std::vector<int>(3, phases * static_cast<int>(present)));
  CHECK(tally.early[0] == 0);
}

TEST_CASE("any thread may be the first that waits") {
  const Way way = every_way();
  const unsigned first = GENERATE(0U, 1U, 15U, 16U, 31U, 32U, 33U, 63U, 64U, 94U, 95U);
  CAPTURE(way, first);
  Tally tally(2, 96);
  good_launch(way.apply({.grid = 2, .block = 96}), leave_early, tally.counts(), first, 96U, 3);
  CHECK(tally.entered == std::vector<int>(tally.entered.size(), 1));
  CHECK(tally.passed == std::vector<int>(2, 3 * static_cast<int>(96 - first)));
  CHECK(tally.early[0] == 0);
}

TEST_CASE("threads may leave after different numbers of barriers") {
  const Way way = every_way();
  const unsigned threads = GENERATE(4U, 32U, 64U, 256U);
  CAPTURE(way, threads);
  Tally tally(2, threads);
  good_launch(way.apply({.grid = 2, .block = threads}), leave_one_after_another, tally.counts());
  CHECK(tally.entered == std::vector<int>(tally.entered.size(), 1));
  CHECK(tally.passed == std::vector<int>(2, static_cast<int>(threads) * 10 / 4));
  CHECK(tally.early[0] == 0);
}

TEST_CASE("a tree in shared memory sums every block size") {
  const Way way = every_way();
  const unsigned threads = GENERATE(1U, 2U, 7U, 32U, 33U, 100U, 256U, 1024U);
  CAPTURE(way, threads);
  constexpr unsigned kBlocks = 3;
  std::vector<int> in(kBlocks * threads);
  std::vector<int> out(kBlocks * threads);
  std::vector<int> expected;
  for (unsigned i = 0; i < in.size(); ++i) in[i] = static_cast<int>(i * 31 % 17);
  for (unsigned block = 0; block < kBlocks; ++block) {
    int sum = 0;
    for (unsigned i = 0; i < threads; ++i) sum += in[block * threads + i];
    expected.insert(expected.end(), threads, sum);
  }
  good_launch(way.apply({.grid = kBlocks, .block = threads, .dynamic_shared = threads * sizeof(int)}), reduce_tree,
              in.data(), out.data());
  CHECK(out == expected);
}

TEST_CASE("barriers with predicates combine those of the threads present") {
  const Way way = every_way();
  const unsigned threads = GENERATE(1U, 32U, 77U, 256U);
  const unsigned absent = GENERATE_COPY(0U, threads / 3);
  const unsigned pattern = GENERATE(0U, 1U, 2U, 3U, 4U);
  CAPTURE(way, threads, absent, pattern);
  const unsigned present = threads - absent;
  base::Random random(pattern * 1000 + threads);
  std::vector<int> brings(threads);
  for (unsigned i = 0; i < threads; ++i) {
    const int some = static_cast<int>(random.below(9)) - 4;
    const int patterns[] = {0, -1, some, i == present - 1, i != 0};
    brings[i] = patterns[pattern];
  }
  const auto set = std::count_if(brings.begin(), brings.begin() + present, [](int value) { return value != 0; });
  std::vector<Verdicts> verdicts(threads);
  good_launch(way.apply({.block = threads}), ask_all, brings.data(), present, verdicts.data());
  for (unsigned i = 0; i < present; ++i) {
    CHECK(verdicts[i].count == set);
    CHECK((verdicts[i].all != 0) == (set == static_cast<int>(present)));
    CHECK((verdicts[i].any != 0) == (set != 0));
  }
}

TEST_CASE("thousands of phases in a row keep every thread in step") {
  const Way way = every_way();
  CAPTURE(way);
  constexpr int kPhases = 1000;
  std::vector<int> ahead(1);
  std::vector<int> at(64);
  good_launch(way.apply({.block = 64}), [&at, &ahead] {
    for (int phase = 0; phase < kPhases; ++phase) {
      at[threadIdx.x] = phase;
      __syncthreads();
      if (at[(threadIdx.x * 7 + 3) % 64] != phase) atomicAdd(&ahead[0], 1);
      __syncthreads();
    }
  });
  CHECK(ahead[0] == 0);
  CHECK(at == std::vector<int>(64, kPhases - 1));
}

TEST_CASE("one barrier reached through a function is the same barrier from everywhere") {
  const Way way = every_way();
  CAPTURE(way);
  std::vector<int> met(1);
  const auto meet = [&met] {
    atomicAdd(&met[0], 1);
    __syncthreads();
  };
  good_launch(way.apply({.block = 64}), [&meet] {
    if (threadIdx.x % 2 == 0) {
      meet();
    } else {
      meet();
    }
  });
  CHECK(met[0] == 64);
}

/// Warp w has its own barrier calls, with a vote, in each of three rounds; the last of them leaves before the last
/// round.
void warps_at_calls_of_their_own(Counts counts, int* votes) {
  const unsigned warp = threadIdx.x / 32;
  int* arrived = &counts.passed[blockIdx.x];
  for (int round = 1; round <= 3; ++round) {
    if (warp == 2 && round == 3) return;
    atomicAdd(arrived, 1);
    int vote = 0;
    if (warp == 0) {
      vote = __syncthreads_count(threadIdx.x % 2 == 0);
    } else if (warp == 1) {
      vote = __syncthreads_count(threadIdx.x % 4 == 0);
    } else {
      vote = __syncthreads_count(threadIdx.x % 8 == 0);
    }
    if (atomicAdd(arrived, 0) != (round < 3 ? 96 * round : 256)) atomicAdd(counts.early, 1);
    votes[global_rank()] += vote;
    __syncthreads();
  }
}

TEST_CASE("whole warps at different barrier calls go on, as on a device") {
  const Way way = every_way();
  CAPTURE(way);
  Tally tally(2, 96);
  std::vector<int> votes(std::size_t{2} * 96);
  good_launch(way.apply({.grid = 2, .block = 96}), warps_at_calls_of_their_own, tally.counts(), votes.data());
  CHECK(tally.early[0] == 0);
  for (std::size_t i = 0; i < votes.size(); ++i) CHECK(votes[i] == (i % 96 < 64 ? 2 * 28 + 24 : 2 * 28));
}

TEST_CASE("locals of a thread survive its waits") {
  const Way way = every_way();
  CAPTURE(way);
  std::vector<double> out(128);
  good_launch(way.apply({.grid = 2, .block = 64}), [&out] {
    double values[16];
    long long whole = static_cast<long long>(global_rank());
    for (int i = 0; i < 16; ++i) values[i] = static_cast<double>(whole) + i * 0.5;
    for (int round = 0; round < 16; ++round) {
      __syncthreads();
      values[round] += 1;
      whole += round;
      if (round % 2 == 0) __syncwarp();
    }
    double sum = static_cast<double>(whole);
    for (const double value : values) sum += value;
    out[global_rank()] = sum;
  });
  for (std::size_t i = 0; i < out.size(); ++i) {
    const double rank = static_cast<double>(i);
    CHECK(out[i] == 17 * rank + 60 + 16 + 120);
  }
}
