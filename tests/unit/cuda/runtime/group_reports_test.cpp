// SPDX-License-Identifier: Apache-2.0
// Misuse of cooperative groups: that it is noticed under every policy, and what the report says.
#include "support/catch.hpp"
#include "unit/cuda/runtime/group_defects.hpp"
#include "unit/cuda/runtime/reports.hpp"

using namespace warpfiber;
using namespace warpfiber::test;
using namespace warpfiber::test::defects;

namespace {

template <void (*Kernel)(int*)>
LaunchResult of(const LaunchConfig& config, int* memory) {
  return launch(config, Kernel, memory);
}

/// A report on one warp, with `cg-misuse`.
template <void (*Kernel)(int*)>
Report report_on(const char* name, std::vector<std::string> said, unsigned threads = 32) {
  return {name, {.grid = 1, .block = threads}, of<Kernel>, "cg-misuse", Error::launch_failure, {}, std::move(said)};
}

const Report kReports[] = {
    report_on<coalesced_group_outlives_branch>(
        "coalesced_group_outlives_branch",
        {"12 threads wait", "together.shfl(1, 0)", "for lanes 12-31 of their group", "20 threads wait",
         "12 threads create", "together = cg::coalesced_threads()", "still members of it"}),
    report_on<tile_of_half_a_warp>("tile_of_half_a_warp",
                                   {"32 threads wait", "tile.sync()", "for lanes 16-31 of their group",
                                    "32 threads create", "tile = cg::tiled_partition<32>(block)", "block.sync()"},
                                   64),
    report_on<foreign_group>(
        "foreign_group", {"1 thread calls", "static_cast<int>(shown->ballot", "lane 20; the group has lanes 0-15",
                          "16 threads create", "cg::binary_partition(warp, lane() < 16)", "not a member of the group"}),
    report_on<different_calls>("different_calls", {"tile.any(4)", "tile.sync()", "12 threads wait", "20 threads wait",
                                                   "execute different calls", "cg::tiled_partition<8>"}),
    report_on<overlapping_groups>("overlapping_groups",
                                  {"tile.sync()", "Groups with common threads", "group_defects.cpp:56"}),
    report_on<convoy_with_a_gap>("convoy_with_a_gap", {"most.shfl_down(sum, 1)", "for lane 11 of their group",
                                                       "most = cg::labeled_partition(warp, lane() / 24)"}),
    report_on<large_tile_in_part>("large_tile_in_part",
                                  {"80 threads wait", "group_defects.cpp:128", "threads 40-59 of their group",
                                   "40 threads wait", "80 threads create", "cg::tiled_partition<64>(block)"},
                                  128),
    report_on<group_against_intrinsic>("group_against_intrinsic", {"__syncwarp()", "together.shfl(18, 0)",
                                                                   "cg::coalesced_threads()", "still members of it"}),
    report_on<tiles_of_two_branches>("tiles_of_two_branches", {"8 threads wait", "low.sync()", "8 threads create",
                                                               "const auto low = cg::tiled_partition<16>(block)"}),
    report_on<tiles_made_twice>("tiles_made_twice", {"2 threads wait", "first.sync()", "2 threads create",
                                                     "the last of several lines where they create tiles"}),
    report_on<unequal_pieces>("unequal_pieces", {"cg::tiled_partition(warp", "tiled_partition() with different sizes"}),
    report_on<piece_of_three>("piece_of_three", {"cg::this_thread_block(), 3", "not a power of two", "traps"}),
    report_on<rank_beyond_group>("rank_beyond_group", {"third.shfl(8, 11)", "no thread with the source rank"}),
    report_on<rank_beyond_tile>("rank_beyond_tile", {"tile.shfl(9, 64)", "no thread with the source rank"}, 64),
    report_on<unequal_ranks_in_tile>("unequal_ranks_in_tile", {"tile.shfl(10", "different source ranks"}, 64),
    report_on<no_stride>("no_stride", {"cg::stride_partition(", "stride of at least 1"}),
    {"tile_wider_than_warp",
     {.grid = 1, .block = 32, .warp_size = 8},
     of<tile_wider_than_warp>,
     "cg-misuse",
     Error::launch_failure,
     {},
     {"cg::tiled_partition<16>", "not a multiple of the tile size"}},
    {"rank_of_no_shared_memory",
     {.grid = 2, .block = 1, .cluster = 2},
     of<rank_of_no_shared_memory>,
     "oob-dsmem",
     Error::illegal_address,
     {},
     {"cg::this_cluster()", "not to the shared memory of a block"}},
    report_on<token_used_twice>("token_used_twice", {"block.barrier_wait(std::move(token))"}),
    report_on<grid_of_no_cut>("grid_of_no_cut", {"group_defects.cpp:121", "Grids and clusters cannot be partitioned"}),
};

}  // namespace

TEST_CASE("a launch that misuses a group ends with the same finding in every way it is run") {
  const Report& report = every_report(kReports);
  const Way way = every_way();
  CAPTURE(report.name, way);
  check_report(report, way);
}

TEST_CASE("the report on a misused group reads as approved") {
  const Report& report = every_report(kReports);
  CAPTURE(report.name);
  check_approved(report);
}
