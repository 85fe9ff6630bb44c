// SPDX-License-Identifier: Apache-2.0
// Which accesses become one request, from lists of accesses without a kernel.
#include "profile/warp_requests.hpp"

#include "support/catch.hpp"

namespace warpfiber::profile {
namespace {

const int kCode[4] = {};  // stands for instructions

AccessInstruction load(unsigned number, AccessSpace space = AccessSpace::global) {
  return {&kCode[number], space, AccessOperation::load};
}

void run_lane(WarpRequests& requests, WarpId warp, unsigned lane, unsigned times, unsigned instruction = 0) {
  requests.block_begin(warp.slot);
  for (unsigned i = 0; i < times; ++i) {
    requests.access(requests.of(warp),
                    {.instruction = load(instruction), .lane = lane, .address = 4096 + i * 128 + lane * 4, .bytes = 4});
  }
}

}  // namespace

TEST_CASE("the n-th executions of the lanes are one request") {
  WarpRequests requests;
  requests.begin(1);
  for (unsigned lane = 0; lane < kLanes; ++lane) run_lane(requests, {0, 0}, lane, 5);
  const auto sums = requests.take();
  REQUIRE(sums.size() == 1);
  CHECK(sums.at(load(0)) == Counters{.requests = 5, .lanes = 160, .sectors = 20, .lines = 5});
}

TEST_CASE("lanes that leave a loop earlier are missing in its last requests") {
  WarpRequests requests;
  requests.begin(1);
  for (unsigned lane = 0; lane < kLanes; ++lane) run_lane(requests, {0, 0}, lane, lane + 1);
  const auto sums = requests.take();
  CHECK(sums.at(load(0)).requests == 32);
  CHECK(sums.at(load(0)).lanes == 32 * 33 / 2);
}

TEST_CASE("requests end where all lanes of a warp come together") {
  WarpRequests requests;
  requests.begin(2);
  for (unsigned round = 0; round < 3; ++round) {
    for (unsigned lane = 0; lane < 16; ++lane) run_lane(requests, {1, 1}, lane, 1);
    requests.complete({1, 1});
    for (unsigned lane = 16; lane < kLanes; ++lane) run_lane(requests, {1, 1}, lane, 1);
    requests.complete_block(1);
  }
  CHECK(requests.take().at(load(0)).requests == 6);
}

TEST_CASE("warps and instructions have requests of their own") {
  WarpRequests requests;
  requests.begin(2);
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    run_lane(requests, {0, 0}, lane, 2, 0);
    run_lane(requests, {0, 1}, lane, 1, 0);
    run_lane(requests, {1, 0}, lane, 1, 1);
  }
  const auto sums = requests.take();
  CHECK(sums.at(load(0)).requests == 3);
  CHECK(sums.at(load(1)).requests == 1);
  CHECK(requests.take().empty());
}

TEST_CASE("what does not fit is left out and counted") {
  WarpRequests requests(10);
  requests.begin(2);
  run_lane(requests, {0, 0}, 0, 10);
  run_lane(requests, {0, 1}, 0, 25);  // those of the other warp make room
  run_lane(requests, {0, 1}, 1, 3);
  CHECK(requests.take_left_out() == 15);
  const auto sums = requests.take();
  CHECK(sums.at(load(0)).requests == 20);
  CHECK(sums.at(load(0)).lanes == 23);
  CHECK(requests.take_left_out() == 0);
}

}  // namespace warpfiber::profile
