// SPDX-License-Identifier: Apache-2.0
// Every way in which a launch can stand still: that it is noticed under every policy, what the report says, and that
// the next launch does not notice.
#include "support/catch.hpp"
#include "unit/cuda/runtime/defects.hpp"
#include "unit/cuda/runtime/reports.hpp"

using namespace warpfiber;
using namespace warpfiber::test;
using namespace warpfiber::test::defects;

namespace {

template <void (*Kernel)(int*)>
LaunchResult of(const LaunchConfig& config, int* memory) {
  return launch(config, Kernel, memory);
}

LaunchResult of_persistent_sum(const LaunchConfig& config, int* memory) {
  return launch(config, persistent_sum, reinterpret_cast<unsigned*>(memory));
}

const Report kReports[] = {
    {"hand_made_grid_barrier",
     {.grid = 10, .block = 256, .device = find_device("teaching")},
     of_persistent_sum,
     "deadlock",
     Error::launch_timeout,
     {"while (atomicAdd(arrived, 0U) < gridDim.x)"},
     {"4 blocks spin", "1,020 threads wait", "6 blocks not started", "value 4",
      "2 blocks fit an SM (threads: 2 × 256 of 512)", "block (4,0,0) … (9,0,0)", "at most 4 blocks"}},
    {"grid_barrier_in_plain_launch",
     {.grid = 4, .block = 64},
     of<plain_grid_barrier>,
     "cg-misuse",
     Error::launch_failure,
     {},
     {"defects.cpp:22", "not cooperative", ".cooperative = true"}},
    {"block_left_before_grid_barrier",
     {.grid = 8, .block = 64, .cooperative = true},
     of<block_left_first>,
     "deadlock",
     Error::launch_timeout,
     {},
     {"448 threads wait", "defects.cpp:28", "1 block has exited", "block (3,0,0)", "some blocks have returned"}},
    {"leader_left_before_grid_barrier",
     {.grid = 8, .block = 64, .cooperative = true},
     of<leader_left_first>,
     "deadlock",
     Error::launch_timeout,
     {},
     {"511 threads wait", "defects.cpp:34", "1 thread has exited", "thread (0,0,0) of block (2,0,0)"}},
    {"unequal_trip_counts_at_grid_barrier",
     {.grid = 8, .block = 64, .cooperative = true},
     of<unequal_rows>,
     "deadlock",
     Error::launch_timeout,
     {},
     {"384 threads wait", "defects.cpp:41", "2 blocks have exited", "block (0,0,0) … (1,0,0)"}},
    {"unequal_trip_counts_at_barrier",
     {.grid = 1, .block = 64},
     of<unequal_steps>,
     "barrier-divergence",
     Error::launch_failure,
     {},
     {"defects.cpp:49", "defects.cpp:52", "different barrier calls"}},
    {"two_barrier_sites",
     {.grid = 2, .block = 64},
     of<barrier_in_both_branches>,
     "barrier-divergence",
     Error::launch_failure,
     {},
     {"defects.cpp:58", "defects.cpp:61", "outside the branch"}},
    {"warp_collective_against_block_barrier",
     {.grid = 2, .block = 64},
     of<shuffle_against_barrier>,
     "deadlock",
     Error::launch_timeout,
     {"__shfl_sync(0xffffffff, 9, 0)"},
     {"64 threads wait", "defects.cpp:70", "for lanes 16-31 of mask 0xffffffff", "cycle",
      "Each of these waits for the other"}},
    {"lock_order",
     {.grid = 2, .block = 64},
     of<locks_crosswise>,
     "deadlock",
     Error::launch_timeout,
     {"while (atomicCAS(&locks[1 - blockIdx.x], 0, 1) != 0)", "while (atomicCAS(&locks[blockIdx.x], 0, 1) != 0)"},
     {"1 thread spins", "cycle", "acquire the locks in the same order everywhere"}},
    {"mask_of_absent_lanes",
     {.grid = 1, .block = 32},
     of<absent_lanes>,
     "deadlock",
     Error::launch_timeout,
     {"while (atomicAdd(flag, 0) == 0)", "__syncwarp(0xffffffff)"},
     {"16 threads spin", "16 threads wait", "for lanes 16-31 of mask 0xffffffff", "lanes 0-15 of warp 0"}},
    {"different_masks",
     {.grid = 1, .block = 32},
     of<masks_overlap>,
     "bad-mask",
     Error::launch_failure,
     {"__shfl_sync(0x0003ffff, 12, 0)", "__shfl_sync(0xffff8000, 13, 16)"},
     {"lanes 16-17 of mask 0x0003ffff", "lane 15 of mask 0xffff8000", "different masks"}},
    {"different_operations",
     {.grid = 1, .block = 32},
     of<vote_against_shuffle>,
     "bad-mask",
     Error::launch_failure,
     {"__any_sync(0xffffffff, threadIdx.x == 14)", "__shfl_sync(0xffffffff, 14, 0)"},
     {"8 threads wait", "24 threads wait", "__any_sync()", "__shfl_sync()",
      "execute one call in all lanes of the mask"}},
    {"caller_not_in_mask",
     {.grid = 1, .block = 32},
     of<caller_not_in_mask>,
     "bad-mask",
     Error::launch_failure,
     {"__shfl_down_sync(0x0000ffff, 15, 1)"},
     {"1 thread calls", "with mask 0x0000ffff", "not in the mask"}},
    {"flag_never_set_polled_by_atomic",
     {.grid = 2, .block = 64},
     of<flag_polled_by_atomic>,
     "livelock",
     Error::launch_timeout,
     {"while (atomicCAS(flag, 1, 0) != 1)"},
     {"128 threads spin", "value 0", "No runnable thread changes"}},
    {"flag_never_set_polled_by_load",
     {.grid = 2, .block = 2},
     of<flag_polled_by_load>,
     "livelock",
     Error::launch_timeout,
     {"while (*polled != 17)"},
     {"4 threads spin"}},
};

}  // namespace

TEST_CASE("a launch that cannot go on ends with the same finding in every way it is run") {
  const Report& report = every_report(kReports);
  const Way way = every_way();
  CAPTURE(report.name, way);
  check_report(report, way);
}

TEST_CASE("the report on a launch that cannot go on reads as approved") {
  const Report& report = every_report(kReports);
  CAPTURE(report.name);
  check_approved(report);
}
