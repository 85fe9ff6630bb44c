// SPDX-License-Identifier: Apache-2.0
// Lanes that part and meet: masks that name some lanes, several rendezvous in one warp at a time, lanes that left,
// warps that are not full.
#include <vector>

#include "support/launches.hpp"

using namespace warpfiber;
using namespace warpfiber::test;

namespace {

constexpr unsigned kFull = 0xffffffffU;

unsigned lane() {
  return detail::lane_id();
}

/// Sums `value` over the lanes of `mask`, which are `width` neighbours.
int sum_group(unsigned mask, int value, int width) {
  for (int d = width / 2; d > 0; d /= 2) value += __shfl_xor_sync(mask, value, d, width);
  return value;
}

void sum_upper_halves(int* out) {
  if (lane() < 16) return;
  out[global_rank()] = sum_group(0xffff0000U, static_cast<int>(lane()), 16);
}

void sum_all_groups_at_once(int* out, int width) {
  const unsigned bits = width == 32 ? kFull : (1U << width) - 1;
  const unsigned group = lane() / static_cast<unsigned>(width);
  const unsigned mask = bits << (group * static_cast<unsigned>(width));
  // Groups take branches of their own, as if they were different code.
  int sum = 0;
  if (group % 2 == 0) {
    sum = sum_group(mask, static_cast<int>(lane()), width);
  } else {
    sum = sum_group(mask, static_cast<int>(lane()), width);
  }
  out[global_rank()] = sum;
}

void ring_of_odd_and_even(int* out, int rounds) {
  const bool odd = lane() % 2 != 0;
  const unsigned mask = odd ? 0xaaaaaaaaU : 0x55555555U;
  int value = static_cast<int>(lane());
  // Odd lanes go round more often than even ones.
  for (int i = 0; i < (odd ? 2 * rounds : rounds); ++i) {
    value = __shfl_sync(mask, value, static_cast<int>(lane() + 2) % 32);
  }
  out[global_rank()] = value;
}

void part_again_and_again(int* out) {
  unsigned mask = kFull;
  int found = 0;
  for (unsigned bit = 0; bit < 5; ++bit) {
    const bool set = (lane() >> bit & 1) != 0;
    const unsigned those = __ballot_sync(mask, set);
    mask = set ? those : mask & ~those;
    found += __popc(mask);
    __syncwarp(mask);
  }
  out[global_rank()] = mask == __lanemask_eq() ? found : -1;
}

void leave_by_lane(int* out) {
  // The lanes left keep naming the whole warp, as most CUDA code does.
  for (unsigned turn = 0; turn < 32; ++turn) {
    if (lane() == turn) return;
    const unsigned alive = __ballot_sync(kFull, 1);
    if (alive == kFull << (turn + 1)) out[global_rank()] += 1;
  }
}

void broadcast_rows(int* out) {
  out[global_rank()] = __shfl_sync(kFull, static_cast<int>(threadIdx.x + 100 * threadIdx.y), 1, 32);
}

void meet_from_two_places(int* out) {
  int value = static_cast<int>(lane());
  if (lane() < 7) {
    value = __shfl_sync(kFull, value, 31);
  } else {
    value = __shfl_sync(kFull, value, 3);
  }
  out[global_rank()] = value;
}

}  // namespace

TEST_CASE("the upper half of a warp meets alone") {
  const Way way = every_way();
  CAPTURE(way);
  std::vector<int> out(128, -1);
  good_launch(way.apply({.grid = 2, .block = 64}), sum_upper_halves, out.data());
  for (std::size_t i = 0; i < out.size(); ++i) CHECK(out[i] == (i % 32 < 16 ? -1 : 376));
}

TEST_CASE("all groups of a warp meet at the same time, each by itself") {
  const Way way = every_way();
  const int width = GENERATE(1, 2, 4, 8, 16, 32);
  CAPTURE(way, width);
  std::vector<int> out(96);
  good_launch(way.apply({.block = 96}), sum_all_groups_at_once, out.data(), width);
  for (int i = 0; i < 96; ++i) {
    const int first = i % 32 / width * width;
    CHECK(out[static_cast<std::size_t>(i)] == first * width + width * (width - 1) / 2);
  }
}

TEST_CASE("odd and even lanes go round their own rings, at their own pace") {
  const Way way = every_way();
  const int rounds = GENERATE(1, 3, 40);
  CAPTURE(way, rounds);
  std::vector<int> out(64);
  good_launch(way.apply({.block = 64}), ring_of_odd_and_even, out.data(), rounds);
  for (int i = 0; i < 64; ++i) {
    const int steps = 2 * (i % 2 != 0 ? 2 * rounds : rounds);
    CHECK(out[static_cast<std::size_t>(i)] == (i % 32 + steps) % 32);
  }
}

TEST_CASE("a warp can part down to single lanes") {
  const Way way = every_way();
  CAPTURE(way);
  std::vector<int> out(64);
  good_launch(way.apply({.block = 64}), part_again_and_again, out.data());
  CHECK(out == std::vector<int>(64, 16 + 8 + 4 + 2 + 1));
}

TEST_CASE("lanes that have left are not waited for and cast no votes") {
  const Way way = every_way();
  CAPTURE(way);
  std::vector<int> out(96);
  good_launch(way.apply({.block = 96}), leave_by_lane, out.data());
  for (int i = 0; i < 96; ++i) CHECK(out[static_cast<std::size_t>(i)] == i % 32);
}

TEST_CASE("only one warp of a block may shuffle") {
  const Way way = every_way();
  CAPTURE(way);
  std::vector<int> runs(128);
  std::vector<int> out(128, -1);
  good_launch(way.apply({.block = 128}), [&runs, &out] {
    ++runs[threadIdx.x];
    if (threadIdx.x / 32 == 2) out[threadIdx.x] = sum_group(kFull, 1, 32);
  });
  CHECK(runs == std::vector<int>(128, 1));
  for (std::size_t i = 0; i < out.size(); ++i) CHECK(out[i] == (i / 32 == 2 ? 32 : -1));
}

TEST_CASE("the last warp of a block may be partial") {
  const Way way = every_way();
  const unsigned threads = GENERATE(1U, 2U, 31U, 33U, 47U, 65U);
  CAPTURE(way, threads);
  const unsigned rest = threads % 32;
  std::vector<int> down(threads);
  std::vector<int> up(threads);
  std::vector<unsigned> ballot(threads);
  std::vector<int> all(threads);
  good_launch(way.apply({.block = threads}), [&] {
    const unsigned self = threadIdx.x;
    ballot[self] = __ballot_sync(kFull, 1);
    all[self] = __all_sync(kFull, 1);
    down[self] = __shfl_down_sync(kFull, static_cast<int>(self), 1);
    up[self] = __shfl_up_sync(kFull, static_cast<int>(self), 1);
  });
  for (unsigned i = 0; i < threads; ++i) {
    const unsigned lanes = i / 32 == threads / 32 ? rest : 32;
    CHECK(ballot[i] == (lanes == 32 ? kFull : (1U << lanes) - 1));
    CHECK(all[i] != 0);
    CHECK(up[i] == static_cast<int>(i % 32 == 0 ? i : i - 1));
    if (i % 32 + 1 < lanes) CHECK(down[i] == static_cast<int>(i + 1));
  }
  check_correct_launch();
}

TEST_CASE("lanes are numbered along x first") {
  const Way way = every_way();
  const dim3 block = GENERATE(dim3(32, 2), dim3(16, 4), dim3(8, 2, 4));
  CAPTURE(way, block.x, block.y, block.z);
  std::vector<int> out(64);
  good_launch(way.apply({.block = block}), broadcast_rows, out.data());
  for (unsigned i = 0; i < 64; ++i) {
    const unsigned first_row = i / 32 * 32 / block.x;
    CHECK(out[i] == static_cast<int>(1 + 100 * (first_row % block.y)));
  }
}

TEST_CASE("one collective can be called from two places") {
  const Way way = every_way();
  CAPTURE(way);
  std::vector<int> out(32);
  good_launch(way.apply({.block = 32}), meet_from_two_places, out.data());
  for (std::size_t i = 0; i < 32; ++i) CHECK(out[i] == (i < 7 ? 31 : 3));
}

TEST_CASE("warp rendezvous and block barriers alternate in every warp on its own") {
  const Way way = every_way();
  CAPTURE(way);
  std::vector<int> out(256);
  good_launch(way.apply({.grid = 2, .block = 128}), [&out] {
    int value = static_cast<int>(threadIdx.x);
    for (unsigned i = 0; i < 20; ++i) {
      // Warps make different numbers of shuffles between two barriers.
      for (unsigned j = 0; j <= threadIdx.x / 32; ++j) value = __shfl_sync(kFull, value, static_cast<int>(lane() ^ 1));
      __syncthreads();
    }
    out[global_rank()] = value;
  });
  for (int i = 0; i < 256; ++i) CHECK(out[static_cast<std::size_t>(i)] == i % 128);
}
