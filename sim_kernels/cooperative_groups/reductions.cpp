// SPDX-License-Identifier: Apache-2.0
// Runs the reductions of this folder, each with groups of several sizes in one go; the reference adds up the elements
// of each group in a loop. Setting::size counts elements, one a thread; blocks may have any size.
#include "reductions.hpp"

#include "tile_reduction.hpp"
#include "tree_reduction.hpp"

#include <algorithm>

namespace gallery {

namespace {

using Sums = std::vector<unsigned>;

/// Sums of runs of `width` elements; every run of `block` elements begins anew.
Sums reference(const std::vector<unsigned>& in, std::size_t block, std::size_t width) {
  Sums sums;
  for (std::size_t start = 0; start < in.size(); start += block) {
    for (std::size_t first = 0; first < block; first += width) {
      const std::size_t end = std::min(in.size(), start + std::min(block, first + width));
      unsigned sum = 0;
      for (std::size_t i = start + first; i < end; ++i) sum += in[i];
      sums.push_back(sum);
    }
  }
  return sums;
}

void append(Sums& all, const Sums& more) {
  all.insert(all.end(), more.begin(), more.end());
}

/// Launches `Kernel`, which gives one sum for each group of `width` threads.
template <auto Kernel>
Sums group_sums(Trial& trial, const Setting& setting, const std::vector<unsigned>& in, unsigned width) {
  const unsigned grid = covering_blocks(in.size(), setting.block);
  const warpfiber::Buffer<unsigned> device_in(in);
  warpfiber::Buffer<unsigned> sums(std::size_t{grid} * covering_blocks(setting.block, width));
  trial.launch<Kernel>({.grid = grid, .block = setting.block}, device_in.data(), sums.data(),
                       static_cast<unsigned>(in.size()));
  return sums.download();
}

}  // namespace

Record run_tree_reduction(const Setting& setting) {
  const auto in = sample<unsigned>(setting.size, 1, 1000);
  Trial trial(setting);
  Sums sums = group_sums<block_tree_sums>(trial, setting, in, setting.block);
  append(sums, group_sums<tile_tree_sums<32>>(trial, setting, in, 32));
  append(sums, group_sums<tile_tree_sums<8>>(trial, setting, in, 8));
  Sums expected = reference(in, setting.block, setting.block);
  append(expected, reference(in, setting.block, 32));
  append(expected, reference(in, setting.block, 8));
  return trial.compare(sums, expected);
}

Record run_tile_reduction(const Setting& setting) {
  const auto in = sample<unsigned>(setting.size, 1, 1000);
  Trial trial(setting);
  Sums sums = group_sums<tile_shuffle_sums<32>>(trial, setting, in, 32);
  append(sums, group_sums<tile_shuffle_sums<16>>(trial, setting, in, 16));
  append(sums, group_sums<tile_shuffle_sums<4>>(trial, setting, in, 4));
  Sums expected = reference(in, setting.block, 32);
  append(expected, reference(in, setting.block, 16));
  append(expected, reference(in, setting.block, 4));
  return trial.compare(sums, expected);
}

}  // namespace gallery
