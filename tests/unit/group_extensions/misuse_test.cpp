// SPDX-License-Identifier: Apache-2.0
// Mistakes with sort(), labelled groups and tiles of clusters end the launch with `cg-misuse`, under every policy.
#include <warpfiber/group_extensions.hpp>
#include <warpfiber/groups/reduce.hpp>
#include <warpfiber/groups/scan.hpp>

#include <string>

#include "support/launches.hpp"

using namespace warpfiber;
using namespace warpfiber::test;
using Catch::Matchers::ContainsSubstring;
namespace cg = cooperative_groups;

namespace {

template <class Kernel>
void check_misuse(const Way& way, const LaunchConfig& config, const char* says, Kernel kernel) {
  CAPTURE(way);
  const LaunchResult result = failed_launch(way.apply(config), kernel);
  CHECK(std::string(result.finding()) == "cg-misuse");
  CHECK(result.error() == Error::launch_failure);
  CHECK_THAT(result.message(), ContainsSubstring(says));
}

constexpr unsigned kThreads = 48;
const LaunchConfig kTwoBlocks{.grid = 2, .block = kThreads, .cooperative = true};

auto grid_by(unsigned label) {
  return warpfiber::labeled_partition(cg::this_grid(), label);
}

}  // namespace

TEST_CASE("a grid that is not cooperative is told so when it sorts or is cut") {
  const Way way = every_way();
  check_misuse(way, {.grid = 2, .block = 32}, "cooperative", [] {
    int key = 1;
    warpfiber::sort(cg::this_grid(), key);
  });
  check_misuse(way, {.grid = 2, .block = 32}, "cooperative", [] { grid_by(0); });
}

TEST_CASE("a member of a group of labels that stands elsewhere is missed") {
  const Way way = every_way();
  check_misuse(way, {.grid = 1, .block = kThreads}, "Only some threads", [] {
    const auto group = warpfiber::labeled_partition(cg::this_thread_block(), threadIdx.x % 2);
    if (threadIdx.x != 7) group.sync();
    __syncthreads();
  });
  check_misuse(way, kTwoBlocks, "Only some threads", [] {
    const auto group = grid_by(threadIdx.x % 2);
    if (global_rank() != kThreads + 1) group.sync();
    __syncthreads();
  });
}

TEST_CASE("a block whose members of a group have returned is missed by the others") {
  const Way way = every_way();
  check_misuse(way, kTwoBlocks, "1 more block", [] {
    const auto group = grid_by(threadIdx.x % 2);
    if (blockIdx.x == 0) group.sync();
  });
}

TEST_CASE("different calls of one group are told apart") {
  const Way way = every_way();
  check_misuse(way, {.grid = 1, .block = kThreads}, "different", [] {
    const auto group = warpfiber::labeled_partition(cg::this_thread_block(), threadIdx.x % 2);
    int key = 1;
    if (threadIdx.x < 20) {
      group.sync();
    } else {
      warpfiber::sort(group, key);
    }
  });
  check_misuse(way, kTwoBlocks, "different", [] {
    const auto group = grid_by(threadIdx.x % 2);
    int key = 1;
    if (blockIdx.x == 0) {
      group.sync();
    } else {
      warpfiber::sort(group, key);
    }
  });
  check_misuse(way, kTwoBlocks, "different", [] {
    int key = 1;
    float real = 1;
    if (blockIdx.x == 0) {
      warpfiber::sort(cg::this_grid(), key);
    } else {
      warpfiber::sort(cg::this_grid(), real);
    }
  });
  check_misuse(way, {.grid = 1, .block = 32}, "different", [] {
    int key = 1;
    if (threadIdx.x < 7) {
      warpfiber::sort(cg::this_thread_block(), key);
    } else {
      warpfiber::sort(cg::this_thread_block(), key, std::greater<>());
    }
  });
}

TEST_CASE("a collective of the block between arriving at its barrier and waiting is told") {
  const Way way = every_way();
  const auto between = [&](auto call) {
    check_misuse(way, {.grid = 1, .block = 64}, "calls another collective", [=] {
      const auto block = cg::this_thread_block();
      auto token = block.barrier_arrive();
      call(block);
      block.barrier_wait(std::move(token));
    });
  };
  between([](const auto& block) { cg::reduce(block, 1, cg::plus<int>()); });
  between([](const auto& block) { cg::inclusive_scan(cg::thread_group(block), 1, cg::plus<int>()); });
  between([](const auto& block) {
    int key = 1;
    warpfiber::sort(block, key);
  });
  between([](const auto& block) { warpfiber::labeled_partition(block, 1); });
}

TEST_CASE("collectives of other groups are allowed between arriving at the block's barrier and waiting") {
  const Way way = every_way();
  const LaunchConfig config{.grid = 2, .block = 64, .cooperative = true};
  const LaunchResult result = launch(way.apply(config), [] {
    const auto block = cg::this_thread_block();
    auto token = block.barrier_arrive();
    cg::reduce(cg::tiled_partition<64>(block), 1, cg::plus<int>());
    cg::reduce(cg::this_grid(), 1, cg::plus<int>());
    int key = 1;
    warpfiber::sort(cg::this_grid(), key);
    block.barrier_wait(std::move(token));
  });
  CHECK(result.ok());
}

TEST_CASE("a thread that is no member of a group may not use it") {
  const Way way = every_way();
  check_misuse(way, {.grid = 1, .block = kThreads}, "not a member", [] {
    auto*& shown = shared<const warpfiber::labeled_group*, struct shown_group>();
    const auto group = warpfiber::labeled_partition(cg::this_thread_block(), threadIdx.x % 2);
    if (threadIdx.x == 0) shown = &group;
    __syncthreads();
    if (threadIdx.x == 1) shown->sync();
    __syncthreads();
  });
}

TEST_CASE("a shuffle of a group of labels asks ranks that there are") {
  const Way way = every_way();
  check_misuse(way, {.grid = 1, .block = kThreads}, "no thread with the source rank", [] {
    const auto group = warpfiber::labeled_partition(cg::this_thread_block(), threadIdx.x % 2);
    group.shfl(1, kThreads / 2);
  });
}

TEST_CASE("tiles of a cluster are a whole number") {
  const Way way = every_way();
  check_misuse(way, {.grid = 2, .block = 48, .cluster = 2}, "not a multiple of the tile size",
               [] { warpfiber::tiled_partition<64>(cg::this_cluster()); });
}
