// SPDX-License-Identifier: Apache-2.0
// Which lanes find themselves together: __activemask() in its three modes, the legacy functions that lean on it, and
// lane masks.
#include <vector>

#include "support/launches.hpp"

using namespace warpfiber;
using namespace warpfiber::test;

namespace {

LaunchConfig converging(const char* mode, const Way& way, unsigned threads) {
  LaunchConfig config = way.apply({.block = threads});
  config.convergence = mode;
  return config;
}

struct Masks {
  unsigned before, odd_or_even, after;
};

void look_around(Masks* masks) {
  Masks& mine = masks[global_rank()];
  mine.before = __activemask();
  if (threadIdx.x % 2 != 0) {
    mine.odd_or_even = __activemask();
  } else {
    mine.odd_or_even = __activemask();
  }
  __syncwarp();
  mine.after = __activemask();
}

__attribute__((noinline)) unsigned found_by_a_call() {
  return __activemask();
}

inline __attribute__((always_inline)) unsigned found_inline() {
  return __activemask();
}

/// What each lane of a warp finds when the lanes with an odd number take the other side of a branch.
template <class Ask>
std::vector<unsigned> on_both_sides(const Way& way, const Ask& ask) {
  std::vector<unsigned> masks(32);
  good_launch(converging("full", way, 32), [&masks, &ask] {
    if (threadIdx.x % 2 != 0) {
      masks[threadIdx.x] = ask();
    } else {
      masks[threadIdx.x] = ask();
    }
  });
  return masks;
}

std::vector<unsigned> odd_and_even() {
  std::vector<unsigned> masks(32);
  for (unsigned i = 0; i < 32; ++i) masks[i] = i % 2 != 0 ? 0xaaaaaaaaU : 0x55555555U;
  return masks;
}

std::vector<Masks> masks_found(const char* mode, const Way& way, unsigned threads) {
  std::vector<Masks> masks(threads);
  good_launch(converging(mode, way, threads), look_around, masks.data());
  return masks;
}

bool contains(unsigned mask, std::size_t thread) {
  return (mask >> thread % 32 & 1) != 0;
}

/// Whether lanes that name each other found the same mask, and each found itself.
bool is_partition(const std::vector<Masks>& masks, unsigned Masks::*of) {
  for (std::size_t i = 0; i < masks.size(); ++i) {
    if (!contains(masks[i].*of, i)) return false;
    for (std::size_t j = i / 32 * 32; j < masks.size() && j < i / 32 * 32 + 32; ++j) {
      if (contains(masks[i].*of, j) && masks[i].*of != masks[j].*of) return false;
    }
  }
  return true;
}

}  // namespace

TEST_CASE("full convergence finds every lane that comes to the same call") {
  const Way way = every_way();
  const unsigned threads = GENERATE(1U, 32U, 50U, 128U);
  CAPTURE(way, threads);
  const std::vector<Masks> masks = masks_found("full", way, threads);
  for (unsigned i = 0; i < threads; ++i) {
    const unsigned lanes = i / 32 == threads / 32 ? threads % 32 : 32;
    const unsigned all = lanes == 32 ? ~0U : (1U << lanes) - 1;
    CHECK(masks[i].before == all);
    CHECK(masks[i].odd_or_even == (all & (i % 2 != 0 ? 0xaaaaaaaaU : 0x55555555U)));
    CHECK(masks[i].after == all);
  }
}

TEST_CASE("full convergence waits behind a loop for the lanes still in it, as an H200 does") {
  const Way way = every_way();
  CAPTURE(way);
  std::vector<unsigned> last(32, ~0U);
  std::vector<unsigned> behind(32);
  good_launch(converging("full", way, 32), [&last, &behind] {
    for (unsigned i = 0; i < threadIdx.x % 4; ++i) last[threadIdx.x] = __activemask();
    behind[threadIdx.x] = __activemask();
  });
  const unsigned in_last_round[4] = {~0U, 0xeeeeeeeeU, 0xccccccccU, 0x88888888U};
  for (unsigned i = 0; i < 32; ++i) {
    CHECK(last[i] == in_last_round[i % 4]);
    CHECK(behind[i] == ~0U);
  }
}

TEST_CASE("lanes that called one function from two sides of a branch are apart, as on an H200") {
  const Way way = every_way();
  CAPTURE(way);
  CHECK(on_both_sides(way, [] { return found_by_a_call(); }) == odd_and_even());
  CHECK(on_both_sides(way, [] { return found_inline(); }) == odd_and_even());
  CHECK(on_both_sides(way, [] { return ~~found_by_a_call() & ~~found_inline(); }) == odd_and_even());
}

TEST_CASE("lanes that called one function from one place are together, however the code was copied") {
  const Way way = every_way();
  CAPTURE(way);
  std::vector<unsigned> masks(32);
  good_launch(converging("full", way, 32), [&masks] {
    // Whoever compiles this would like to have two copies of what is between the conditions.
    const bool odd = threadIdx.x % 2 != 0;
    if (odd) masks[threadIdx.x] = 1;
    const unsigned inside = found_inline();
    const unsigned outside = found_by_a_call();
    if (odd) masks[threadIdx.x] = 0;
    masks[threadIdx.x] |= inside & outside;
  });
  CHECK(masks == std::vector<unsigned>(32, ~0U));
}

TEST_CASE("a call in a loop and one behind it are answered in this order, through functions too") {
  const Way way = every_way();
  CAPTURE(way);
  std::vector<unsigned> last(32, ~0U);
  std::vector<unsigned> behind(32);
  good_launch(converging("full", way, 32), [&last, &behind] {
    for (unsigned i = 0; i < threadIdx.x % 4; ++i) last[threadIdx.x] = found_by_a_call();
    behind[threadIdx.x] = found_by_a_call();
  });
  const unsigned in_last_round[4] = {~0U, 0xeeeeeeeeU, 0xccccccccU, 0x88888888U};
  for (unsigned i = 0; i < 32; ++i) {
    CHECK(last[i] == in_last_round[i % 4]);
    CHECK(behind[i] == ~0U);
  }
}

TEST_CASE("a lane that others spin for is not overtaken for ever") {
  const Way way = every_way();
  CAPTURE(way);
  int flag = 0;
  good_launch(converging("full", way, 32), [&flag] {
    if (threadIdx.x != 0) {
      while (__atomic_load_n(&flag, __ATOMIC_RELAXED) == 0) __activemask();
    } else {
      __activemask();
      __atomic_store_n(&flag, 1, __ATOMIC_RELAXED);
    }
  });
  CHECK(flag == 1);
}

TEST_CASE("no convergence leaves every lane alone") {
  const Way way = every_way();
  CAPTURE(way);
  const std::vector<Masks> masks = masks_found("none", way, 64);
  for (std::size_t i = 0; i < masks.size(); ++i) {
    const unsigned self = 1U << i % 32;
    CHECK((masks[i].before == self && masks[i].odd_or_even == self && masks[i].after == self));
  }
}

TEST_CASE("random convergence parts the lanes differently from seed to seed") {
  Way way = every_way();
  CAPTURE(way);
  std::vector<std::vector<Masks>> runs;
  unsigned kinds = 0;
  for (way.seed = 1; way.seed < 6; ++way.seed) {
    const std::vector<Masks> masks = masks_found("random", way, 64);
    CHECK(is_partition(masks, &Masks::before));
    CHECK(is_partition(masks, &Masks::odd_or_even));
    CHECK(is_partition(masks, &Masks::after));
    for (std::size_t i = 0; i < masks.size(); ++i) {
      CHECK((masks[i].odd_or_even & (i % 2 != 0 ? 0x55555555U : 0xaaaaaaaaU)) == 0);
    }
    kinds += runs.empty() || masks[0].before != runs.back()[0].before;
    runs.push_back(masks);
  }
  CHECK(kinds > 2);
}

TEST_CASE("lanes that ask while others wait elsewhere are answered") {
  const Way way = every_way();
  const char* const modes[] = {"full", "random", "none"};
  const char* const mode = modes[GENERATE(range(0, 3))];
  CAPTURE(way, mode);
  std::vector<unsigned> masks(64);
  good_launch(converging(mode, way, 64), [&masks] {
    if (threadIdx.x % 32 < 20) {
      masks[threadIdx.x] = __activemask();
    }
    __syncthreads();
  });
  for (std::size_t i = 0; i < masks.size(); ++i) {
    if (i % 32 < 20) {
      CHECK(contains(masks[i], i));
      CHECK((masks[i] & 0xfff00000U) == 0);
    }
  }
}

TEST_CASE("a warp aggregates its atomics over whoever is together") {
  const Way way = every_way();
  const char* const modes[] = {"full", "random", "none"};
  const char* const mode = modes[GENERATE(range(0, 3))];
  CAPTURE(way, mode);
  std::vector<int> counter(1);
  std::vector<int> places(200, -1);
  good_launch(converging(mode, way, 200), [&counter, &places] {
    if (threadIdx.x % 3 == 0) return;
    const unsigned together = __activemask();
    const int leader = __ffs(static_cast<int>(together)) - 1;
    int first = 0;
    if (static_cast<int>(detail::lane_id()) == leader) first = atomicAdd(&counter[0], __popc(together));
    first = __shfl_sync(together, first, leader);
    places[threadIdx.x] = first + __popc(together & __lanemask_lt());
  });
  std::vector<int> taken(200);
  int lanes = 0;
  for (unsigned i = 0; i < 200; ++i) {
    if (i % 3 == 0) continue;
    ++lanes;
    REQUIRE(places[i] >= 0);
    ++taken[static_cast<std::size_t>(places[i])];
  }
  CHECK(counter[0] == lanes);
  for (int i = 0; i < 200; ++i) CHECK(taken[static_cast<std::size_t>(i)] == (i < lanes));
}

TEST_CASE("the functions of CUDA 8 work on the lanes that are together") {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
  const Way way = every_way();
  CAPTURE(way);
  std::vector<int> wrong(1);
  good_launch(way.apply({.block = 64}), [&wrong] {
    const int self = static_cast<int>(detail::lane_id());
    int bad = __shfl(self, 5) != 5;
    bad += __shfl_up(self, 2U) != (self < 2 ? self : self - 2);
    bad += __shfl_down(self, 2U, 16) != (self % 16 > 13 ? self : self + 2);
    bad += __shfl_xor(self, 3) != (self ^ 3);
    bad += __all(self < 31) != 0;
    bad += __any(self == 31) == 0;
    bad += __ballot(self % 2) != 0xaaaaaaaaU;
    if (bad != 0) atomicAdd(&wrong[0], bad);
  });
  CHECK(wrong[0] == 0);
#pragma GCC diagnostic pop
}

TEST_CASE("lane masks name the lanes around the caller's") {
  std::vector<int> wrong(1);
  const dim3 block = GENERATE(dim3(64), dim3(5, 5, 5));
  good_launch({.block = block}, [&wrong] {
    const unsigned self = detail::thread_rank() % 32;
    const unsigned eq = 1U << self;
    const unsigned lt = eq - 1;
    const bool right = __lanemask_eq() == eq && __lanemask_lt() == lt && __lanemask_le() == (lt | eq) &&
                       __lanemask_gt() == ~(lt | eq) && __lanemask_ge() == ~lt;
    if (!right) atomicAdd(&wrong[0], 1);
  });
  CHECK(wrong[0] == 0);
}

TEST_CASE("a lane that has not had its turn is waited for, however much the other warps do") {
  const unsigned threads = GENERATE(256U, 1024U);
  const unsigned workers = GENERATE(1U, 2U);
  CAPTURE(threads, workers);
  std::vector<LaneBits> masks(threads);
  good_launch({.block = threads, .workers = workers}, [&masks] {
    const unsigned rank = detail::thread_rank();
    __syncthreads();
    masks[rank] = __activemask();
    for (int round = 0; round < 300; ++round) __syncwarp(1U << rank % 32);
  });
  CHECK(masks == std::vector<LaneBits>(threads, ~LaneBits{0}));
}
