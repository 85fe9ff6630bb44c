// SPDX-License-Identifier: Apache-2.0
// Runs lookback_scan; the reference is a running sum. Setting::size counts elements, one a thread; blocks may have any
// size, and there may be more of them than fit on the device.
#include "lookback_scan.hpp"

#include "grid.hpp"

#include <numeric>

namespace gallery {

Record run_lookback_scan(const Setting& setting) {
  const auto in = sample<unsigned>(setting.size, 1, 1000);
  const unsigned grid = covering_blocks(in.size(), setting.block);
  const warpfiber::Buffer<unsigned> device_in(in);
  warpfiber::Buffer<unsigned> sums(in.size());
  warpfiber::Buffer<TileState> tiles(grid);
  tiles.fill(kTileUnknown);
  warpfiber::Buffer<unsigned> next_tile(1);
  next_tile.fill(0);
  Trial trial(setting);
  trial.launch<lookback_scan>({.grid = grid, .block = setting.block}, device_in.data(), sums.data(),
                              static_cast<unsigned>(in.size()), tiles.data(), next_tile.data());
  std::vector<unsigned> reference(in.size());
  std::partial_sum(in.begin(), in.end(), reference.begin());
  return trial.compare(sums.download(), reference);
}

}  // namespace gallery
