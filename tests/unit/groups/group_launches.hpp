// SPDX-License-Identifier: Apache-2.0
// What tests of cooperative groups share: a launch whose threads each write a row of numbers.
#pragma once

#include <warpfiber/cooperative_groups.hpp>

#include <vector>

#include "support/launches.hpp"

namespace warpfiber::test {

namespace cg = cooperative_groups;

/// Runs `kernel(row)` in every thread, `row` being its own `columns` numbers; all rows in the order of the threads.
template <class Kernel>
std::vector<long long> rows_of(LaunchConfig config, unsigned columns, Kernel kernel) {
  const auto threads =
      std::size_t{config.grid.x} * config.grid.y * config.grid.z * config.block.x * config.block.y * config.block.z;
  Buffer<long long> out(threads * columns);
  out.fill(0);
  long long* rows = out.data();
  good_launch(config, [=] { kernel(rows + global_rank() * columns); });
  return out.download();
}

/// The lanes of `lanes` in ascending order: what ranks mean.
inline std::vector<unsigned> members(unsigned lanes) {
  std::vector<unsigned> list;
  for (unsigned lane = 0; lane < 32; ++lane) {
    if ((lanes >> lane & 1) != 0) list.push_back(lane);
  }
  return list;
}

/// Masks with neighbours, gaps, one lane and all of them.
inline constexpr unsigned kMasks[] = {0xffffffffU, 0x0000000fU, 0x55555555U, 0xf00ff00fU,
                                      0x80000000U, 0x7ffffffeU, 0x80000001U, 0x00f0a000U};

/// The group of the lanes of `lanes`, or of the others: whichever the caller is in.
inline cg::coalesced_group side_of(unsigned lanes) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  return cg::binary_partition(warp, (lanes >> warp.thread_rank() & 1) != 0);
}

}  // namespace warpfiber::test
