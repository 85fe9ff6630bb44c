// SPDX-License-Identifier: Apache-2.0
// Shared memory of a block: static and dynamic, one instance a block, never holding what was there before.
#include <cstdint>
#include <cstring>
#include <vector>

#include "memory/shared_arena.hpp"
#include "support/launches.hpp"

using namespace warpfiber;
using namespace warpfiber::test;
using memory::kPoisonWord;

namespace {

struct Words {
  unsigned fixed, dynamic;
};

/// Notes what was there, then leaves something behind for whoever looks next.
void look_and_leave(Words* found) {
  WARPFIBER_SHARED(unsigned[128], fixed);
  auto* dynamic = dynamic_shared<unsigned>();
  const unsigned self = threadIdx.x;
  found[global_rank()] = Words{fixed[self], dynamic[self]};
  __syncthreads();
  fixed[self] = dynamic[self] = 77;
  __syncthreads();
}

struct Vector {
  double x, y, z, w;
};

struct Sums {
  int sum, least;
  unsigned counted, exchanged;
  unsigned long long wide;
  float number;
  double fine;

  friend bool operator==(const Sums&, const Sums&) = default;
};

constexpr unsigned kRounds = 3;

void sum_up(Sums* sums) {
  for (unsigned i = 0; i < kRounds; ++i) {
    atomicAdd(&sums->sum, 5);
    atomicSub(&sums->sum, 2);
    atomicMin(&sums->least, -static_cast<int>(threadIdx.x));
    atomicInc(&sums->counted, ~0U);
    atomicAdd(&sums->wide, 1ULL << 33);
    atomicAdd(&sums->number, 0.5F);
    atomicAdd(&sums->fine, 0.25);
    unsigned seen = sums->exchanged;
    for (unsigned before = seen + 1; before != seen;) {
      before = seen;
      seen = atomicCAS(&sums->exchanged, before, before + 1);
    }
  }
}

}  // namespace

TEST_CASE("shared memory never holds what a block before left") {
  const Way way = every_way();
  const unsigned blocks = GENERATE(1U, 5U, 300U);
  CAPTURE(way, blocks);
  LaunchConfig config = way.apply({.grid = blocks, .block = 128, .dynamic_shared = 128 * 4});
  for (int launches = 0; launches < 2; ++launches) {
    std::vector<Words> found(blocks * 128);
    good_launch(config, look_and_leave, found.data());
    std::size_t other = 0;
    for (const Words& words : found) other += words.fixed != kPoisonWord || words.dynamic != kPoisonWord;
    CHECK(other == 0);
  }
}

TEST_CASE("blocks that never wait get fresh shared memory as well") {
  const unsigned workers = GENERATE(1U, 2U);
  std::vector<unsigned> found(5000);
  good_launch({.grid = 5000, .block = 3, .dynamic_shared = 8, .workers = workers}, [&found] {
    WARPFIBER_SHARED(unsigned, fixed);
    if (threadIdx.x == 0) found[blockIdx.x] = fixed & dynamic_shared<unsigned>()[1];
    if (threadIdx.x == 1) fixed = dynamic_shared<unsigned>()[1] = 3;
  });
  CHECK(found == std::vector<unsigned>(5000, kPoisonWord));
}

TEST_CASE("poison is no NaN, and far from what programs expect, in every floating-point type") {
  good_launch({}, [] {});
  std::vector<double> numbers(3);
  good_launch({.dynamic_shared = 64}, [&numbers] {
    WARPFIBER_SHARED(float, narrow);
    WARPFIBER_SHARED(double, wide);
    numbers = {narrow, wide, dynamic_shared<double>()[3]};
  });
  for (const double number : numbers) CHECK((number > 1e18 && number < 1e200));
}

TEST_CASE("every block has one instance, seen by all its threads") {
  const Way way = every_way();
  CAPTURE(way);
  std::vector<int> out(6 * 64);
  good_launch(way.apply({.grid = 6, .block = 64}), [&out] {
    WARPFIBER_SHARED(int, total);
    if (threadIdx.x == 0) total = 0;
    __syncthreads();
    atomicAdd(&total, static_cast<int>(blockIdx.x));
    __syncthreads();
    out[global_rank()] = total;
  });
  for (std::size_t i = 0; i < out.size(); ++i) CHECK(out[i] == static_cast<int>(i / 64 * 64));
}

TEST_CASE("two tags are two variables, of one type as well") {
  const Way way = every_way();
  CAPTURE(way);
  std::vector<int> out(3);
  good_launch(way.apply({.block = 3}), [&out] {
    auto& first = shared<int[3], struct first_tag>();
    auto& second = shared<int[3], struct second_tag>();
    auto& again = shared<int[3], struct first_tag>();
    first[threadIdx.x] = 1;
    second[threadIdx.x] = 2;
    __syncthreads();
    out[threadIdx.x] = again[2 - threadIdx.x] * 10 + second[2 - threadIdx.x];
  });
  CHECK(out == std::vector<int>(3, 12));
}

TEST_CASE("static and dynamic shared memory are aligned for every vector type") {
  const std::size_t bytes = GENERATE(std::size_t{16}, 1000, 4096);
  std::vector<std::uintptr_t> places(3);
  good_launch({.dynamic_shared = bytes}, [&places] {
    WARPFIBER_SHARED(char, odd);
    WARPFIBER_SHARED(Vector, wide);
    odd = 1;
    wide.x = odd;
    places[0] = reinterpret_cast<std::uintptr_t>(&wide);
    places[1] = reinterpret_cast<std::uintptr_t>(dynamic_shared<char>());
  });
  CHECK(places[0] % 32 == 0);
  CHECK(places[1] % 128 == 0);
}

TEST_CASE("dynamic shared memory is as large as the launch says, up to the device's limit") {
  const std::size_t bytes = GENERATE(std::size_t{1}, 48 * 1024, 100'000, 227 * 1024);
  CAPTURE(bytes);
  std::vector<int> wrong(1);
  good_launch({.grid = 3, .block = 64, .dynamic_shared = bytes}, [&wrong, bytes] {
    auto* memory = dynamic_shared<unsigned char>();
    for (std::size_t i = threadIdx.x; i < bytes; i += blockDim.x) memory[i] = static_cast<unsigned char>(i * 7);
    __syncthreads();
    for (std::size_t i = threadIdx.x; i < bytes; i += blockDim.x) {
      if (memory[bytes - 1 - i] != static_cast<unsigned char>((bytes - 1 - i) * 7)) atomicAdd(&wrong[0], 1);
    }
  });
  CHECK(wrong[0] == 0);
}

TEST_CASE("device memory is poisoned when it is made") {
  const Buffer<unsigned> words(1000);
  CHECK(words.download() == std::vector<unsigned>(1000, kPoisonWord));
}

TEST_CASE("atomics of shared memory lose nothing") {
  const Way way = every_way();
  constexpr unsigned kBlocks = 6;
  constexpr unsigned kThreads = 70;
  std::vector<Sums> found(2 * kBlocks);
  const LaunchConfig config = way.apply({.grid = kBlocks, .block = kThreads, .dynamic_shared = sizeof(Sums)});
  good_launch(config, [&found] {
    WARPFIBER_SHARED(Sums, fixed);
    Sums* dynamic = dynamic_shared<Sums>();
    if (threadIdx.x == 0) fixed = *dynamic = Sums{};
    __syncthreads();
    sum_up(&fixed);
    sum_up(dynamic);
    __syncthreads();
    if (threadIdx.x != 0) return;
    found[2 * blockIdx.x] = fixed;
    found[2 * blockIdx.x + 1] = *dynamic;
  });
  constexpr unsigned kTimes = kRounds * kThreads;
  const Sums wanted{3 * kTimes,   1 - static_cast<int>(kThreads), kTimes, kTimes, (1ULL << 33) * kTimes, 0.5F * kTimes,
                    0.25 * kTimes};
  CHECK(found == std::vector<Sums>(2 * kBlocks, wanted));
}
