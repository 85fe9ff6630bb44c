// SPDX-License-Identifier: Apache-2.0
// Threads that meet again and again for ever keep nobody from running: not other threads of their block, not blocks
// that have yet to start, not lanes that ask who is with them.
#include <string>
#include <vector>

#include "support/launches.hpp"

using namespace warpfiber;
using namespace warpfiber::test;

namespace {

enum class Meeting { in_block, in_warp, in_cluster, convergence, apart };

const char* const kMeetings[] = {"in the block", "in the warp", "in the cluster", "convergence", "no convergence"};

void meet_for_ever(Meeting meeting) {
  for (;;) {
    switch (meeting) {
      case Meeting::in_block: __syncthreads(); break;
      case Meeting::in_warp: __syncwarp(__activemask()); break;
      case Meeting::in_cluster: sync_cluster(); break;
      case Meeting::convergence:
      case Meeting::apart: __activemask(); break;
    }
  }
}

LaunchConfig meeting_launch(const Way& way, Meeting meeting, unsigned blocks, unsigned threads) {
  LaunchConfig config = way.apply({.grid = blocks, .block = threads});
  if (meeting == Meeting::in_cluster) config.cluster = 2;
  if (meeting == Meeting::apart) config.convergence = "none";
  return config;
}

Meeting every_meeting() {
  return static_cast<Meeting>(GENERATE(range(0, 5)));
}

void expect_trap(const LaunchResult& result) {
  CHECK(std::string(result.finding()) == "trap");
  CHECK(last_error() == Error::launch_failure);
}

}  // namespace

TEST_CASE("blocks that meet for ever let blocks run that have yet to start") {
  const Way way = every_way();
  const Meeting meeting = every_meeting();
  CAPTURE(way, kMeetings[static_cast<int>(meeting)]);
  const LaunchConfig config = meeting_launch(way, meeting, 20, 2);
  expect_trap(failed_launch(config, [meeting] {
    if (blockIdx.x < 18) meet_for_ever(meeting);
    for (int i = 0; i < 10; ++i) __syncthreads();
    __nanosleep(100);
    __syncthreads();
    __trap();
  }));
}

TEST_CASE("a warp that meets for ever lets other warps of its block run") {
  const Way way = every_way();
  const Meeting meeting = GENERATE(Meeting::in_warp, Meeting::convergence, Meeting::apart);
  CAPTURE(way, kMeetings[static_cast<int>(meeting)]);
  expect_trap(failed_launch(meeting_launch(way, meeting, 1, 128), [meeting] {
    if (threadIdx.x < 96) meet_for_ever(meeting);
    for (int i = 0; i < 10; ++i) __syncwarp();
    __nanosleep(100);
    __syncwarp();
    __trap();
  }));
}

TEST_CASE("lanes that meet for ever let the other lanes find each other") {
  const Way way = every_way();
  CAPTURE(way);
  std::vector<unsigned> masks(32);
  expect_trap(failed_launch(way.apply({.grid = 2, .block = 96}), [&masks] {
    if (blockIdx.x == 0 || threadIdx.x >= 32) meet_for_ever(Meeting::in_warp);
    if (threadIdx.x < 16) {
      for (;;) __syncwarp(0xffffU);
    }
    masks[threadIdx.x] = __activemask();
    __syncwarp(0xffff0000U);
    __trap();
  }));
  for (unsigned i = 16; i < 32; ++i) CHECK(masks[i] == 0xffff0000U);
}

TEST_CASE("warps that ask all the time who is with them do not part the lanes of another") {
  const Way way = every_way();
  CAPTURE(way);
  std::vector<unsigned> masks(128);
  good_launch(way.apply({.block = 128}), [&masks] {
    for (unsigned i = 0; i < threadIdx.x / 32 * 100; ++i) {
      if (__activemask() != ~0U) __trap();
    }
    masks[threadIdx.x] = __activemask();
  });
  for (const unsigned mask : masks) CHECK(mask == ~0U);
}

TEST_CASE("a block comes in that spinning threads wait for, whatever else happens meanwhile") {
  const Way way = every_way();
  CAPTURE(way);
  int flag = 0;
  int rounds = 0;
  good_launch(way.apply({.grid = 40, .block = 32}), [&flag, &rounds] {
    if (blockIdx.x == 39) atomicExch(&flag, 1);
    while (atomicAdd(&flag, 0) == 0) {
      if (blockIdx.x != 0) continue;
      atomicAdd(&rounds, 1);
      __nanosleep(20);
    }
  });
  CHECK(flag == 1);
}

TEST_CASE("a thread that changes memory until another asks it to stop lets the other run") {
  const Way way = every_way();
  CAPTURE(way);
  int flag = 0;
  int rounds = 0;
  good_launch(way.apply({.grid = 2, .block = 2}), [&flag, &rounds] {
    if (blockIdx.x == 1 && threadIdx.x == 1) {
      *static_cast<volatile int*>(&flag) = 1;
      return;
    }
    while (*static_cast<volatile int*>(&flag) == 0) atomicAdd(&rounds, 1);
  });
  CHECK(flag == 1);
}
