// SPDX-License-Identifier: Apache-2.0
// How launches end before their threads have: one thread fails, and all others are left wherever they are, on every
// worker.
#include <string>
#include <vector>

#include "support/launches.hpp"
#include "support/repetitions.hpp"

using namespace warpfiber;
using namespace warpfiber::test;

namespace {

/// What the threads do that do not fail.
enum class Meanwhile { spin_on_load, spin_on_atomic, sleep, meet_in_block, meet_in_warp, meet_in_grid, wait, converge };

const char* const kNames[] = {"spin on a load",   "spin on an atomic", "sleep", "meet in the block",
                              "meet in the warp", "meet in the grid",  "wait",  "converge"};

void step(Meanwhile what, int* flag) {
  switch (what) {
    case Meanwhile::spin_on_load:
      while (*static_cast<volatile int*>(flag) == 0) {
      }
      break;
    case Meanwhile::spin_on_atomic: atomicAdd(flag, 0); break;
    case Meanwhile::sleep: __nanosleep(100); break;
    case Meanwhile::meet_in_block: __syncthreads(); break;
    case Meanwhile::meet_in_warp: __syncwarp(); break;
    case Meanwhile::meet_in_grid: sync_grid(); break;
    case Meanwhile::wait: __syncthreads(); break;
    case Meanwhile::converge: __activemask(); break;
  }
}

/// Block 0 fails after everybody has started; other blocks go on for ever.
void fail_while_others_go_on(Meanwhile what, int* started, int* flag) {
  atomicAdd(started, 1);
  if (blockIdx.x == 0) {
    while (atomicAdd(started, 0) < static_cast<int>(gridDim.x * blockDim.x)) {
    }
    if (threadIdx.x == 17) __trap();
  }
  do {
    step(what, flag);
  } while (what != Meanwhile::wait);
}

struct Object {
  int* destroyed;
  ~Object() { atomicAdd(destroyed, 1); }
};

}  // namespace

TEST_CASE("a thread that fails ends its launch, whatever the others are doing") {
  const Way way = every_way();
  const auto what = static_cast<Meanwhile>(GENERATE(range(0, 8)));
  CAPTURE(way, kNames[static_cast<int>(what)]);
  // A preempted thread costs a tick of the clock.
  const unsigned threads = what == Meanwhile::spin_on_load ? 18 : 64;
  const unsigned blocks = what == Meanwhile::spin_on_load ? 2 : 4;
  int started = 0;
  int flag = 0;
  LaunchConfig config = way.apply({.grid = blocks, .block = threads});
  config.cooperative = true;
  const LaunchResult result = failed_launch(config, fail_while_others_go_on, what, &started, &flag);
  CHECK(std::string(result.finding()) == "trap");
  CHECK(last_error() == Error::launch_failure);
  CHECK(started == static_cast<int>(blocks * threads));
}

TEST_CASE("of several threads that fail, one is reported") {
  const Way way = every_way();
  CAPTURE(way);
  const LaunchResult result = failed_launch(way.apply({.grid = 8, .block = 64}), [] { __trap(); });
  CHECK(std::string(result.finding()) == "trap");
  CHECK_THAT(result.message(), Catch::Matchers::ContainsSubstring("1 thread traps"));
  last_error();
}

TEST_CASE("destructors run in threads that return and not in threads that are left") {
  const Way way = every_way_of_one_worker();
  CAPTURE(way);
  int destroyed = 0;
  good_launch(way.apply({.block = 64}), [&destroyed] {
    const Object object{&destroyed};
    __syncthreads();
  });
  CHECK(destroyed == 64);
  failed_launch(way.apply({.block = 64}), [&destroyed] {
    const Object object{&destroyed};
    __syncthreads();
    __trap();
  });
  CHECK(destroyed == 64);
  last_error();
}

TEST_CASE("a kernel may fail again and again") {
  const Way way = every_way_of_one_worker();
  CAPTURE(way);
  const unsigned times = repetitions(30);
  for (unsigned i = 0; i < times; ++i) {
    const LaunchResult result = launch(way.apply({.grid = 2, .block = 128}), [i] {
      __syncthreads();
      if (threadIdx.x == i) __trap();
      __syncthreads();
    });
    REQUIRE(std::string(result.finding()) == "trap");
  }
  check_correct_launch();
  last_error();
}
