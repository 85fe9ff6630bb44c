// SPDX-License-Identifier: Apache-2.0
//
// CUDA's atomics from several host threads at once, as blocks on several workers use them: no update is lost, and a
// fence orders other accesses around them.
#include <climits>
#include <thread>
#include <vector>

#include <warpfiber/intrinsics/atomics.hpp>
#include <warpfiber/intrinsics/builtins.hpp>

#include "support/catch.hpp"

namespace {

/// A 16-byte word.
struct alignas(16) Wide {
  friend bool operator==(const Wide&, const Wide&) = default;
  unsigned long long low, high;
};

constexpr unsigned kThreads = 4;
constexpr unsigned kRounds = 4000;

/// Runs `body(thread, round)` kRounds times on each of kThreads OS threads at once.
template <class Body>
void on_every_thread(Body body) {
  std::vector<std::thread> threads;
  for (unsigned thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([thread, &body] {
      for (unsigned round = 0; round < kRounds; ++round) body(thread, round);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace

TEST_CASE("no sum is lost between host threads") {
  struct {
    int i = 0;
    unsigned u = 0, wrapped = 0, down = 0;
    unsigned long long ull = 0;
    float f = 0;
    double d = 0;
    float2 f2{};
    float4 f4{};
  } cells;
  on_every_thread([&](unsigned thread, unsigned) {
    atomicAdd(&cells.i, 3);
    atomicSub(&cells.u, thread);
    atomicInc(&cells.wrapped, 6);
    atomicDec(&cells.down, 6);
    atomicAdd(&cells.ull, 1ULL << 40);
    atomicAdd(&cells.f, 1.0F);
    atomicAdd(&cells.d, 0.5);
    atomicAdd(&cells.f2, {1, 2});
    atomicAdd(&cells.f4, {1, 2, 3, 4});
  });
  constexpr unsigned kCalls = kThreads * kRounds;
  CHECK(cells.i == 3 * static_cast<int>(kCalls));
  CHECK(cells.u == 0U - kRounds * (0 + 1 + 2 + 3));
  CHECK(cells.wrapped == kCalls % 7);
  CHECK(cells.down == (7 - kCalls % 7) % 7);
  CHECK(cells.ull == static_cast<unsigned long long>(kCalls) << 40);
  CHECK(cells.f == static_cast<float>(kCalls));
  CHECK(cells.d == 0.5 * kCalls);
  CHECK(cells.f2.y == 2.0F * kCalls);
  CHECK(cells.f4.x + cells.f4.y + cells.f4.z + cells.f4.w == 10.0F * kCalls);
}

TEST_CASE("no bit, extreme or token is lost between host threads") {
  unsigned set = 0;
  unsigned cleared = ~0U;
  int least = INT_MAX;
  unsigned long long most = 0;
  unsigned long long token = 0;
  unsigned long long taken[kThreads] = {};
  on_every_thread([&](unsigned thread, unsigned round) {
    const unsigned bit = (thread * 8 + round) % 32;
    atomicOr(&set, 1U << bit);
    atomicAnd(&cleared, ~(1U << bit));
    atomicMin(&least, -static_cast<int>(thread * kRounds + round));
    atomicMax(&most, thread * kRounds + round);
    taken[thread] += atomicExch(&token, round + 1ULL);
  });
  CHECK(set == ~0U);
  CHECK(cleared == 0);
  CHECK(least == -static_cast<int>(kThreads * kRounds - 1));
  CHECK(most == kThreads * kRounds - 1);
  CHECK(taken[0] + taken[1] + taken[2] + taken[3] + token == kThreads * (kRounds * (kRounds + 1ULL) / 2));
}

TEST_CASE("counters made of compare-and-swap lose nothing, and leave their neighbours alone") {
  alignas(4) unsigned short halves[2] = {};
  alignas(16) Wide wide{0, ~0ULL};
  on_every_thread([&](unsigned thread, unsigned) {
    unsigned short* const half = &halves[thread % 2];
    unsigned short seen = atomicCAS(half, 0, 1);
    for (unsigned short expected = 0; seen != expected;) {
      expected = seen;
      seen = atomicCAS(half, expected, static_cast<unsigned short>(expected + 1));
    }
    Wide expected{0, 0};
    for (Wide found = atomicCAS(&wide, expected, expected); !(found == expected);) {
      expected = found;
      found = atomicCAS(&wide, expected, Wide{expected.low + 1, expected.high - 1});
    }
  });
  CHECK(halves[0] == kThreads / 2 * kRounds);
  CHECK(halves[1] == kThreads / 2 * kRounds);
  CHECK(wide == Wide{kThreads * kRounds, ~0ULL - kThreads * kRounds});
}

TEST_CASE("a fence before an atomic passes a message to another host thread") {
  std::vector<unsigned> message(kRounds);
  unsigned written = 0;
  int faults = 0;
  std::thread reader([&] {
    for (unsigned seen = 0; seen < kRounds;) {
      const unsigned now = atomicAdd(&written, 0);
      __threadfence();
      for (; seen < now; ++seen) faults += message[seen] != seen + 1;
    }
  });
  for (unsigned i = 0; i < kRounds; ++i) {
    message[i] = i + 1;
    __threadfence();
    atomicExch(&written, i + 1);
  }
  reader.join();
  CHECK(faults == 0);
}
