// SPDX-License-Identifier: Apache-2.0
// Runs masked_halves; the reference walks through the halves one after another. Setting::size counts elements, one a
// thread; blocks may have any size.
#include "masked_halves.hpp"

#include "warp.hpp"

#include <algorithm>

namespace gallery {

namespace {

constexpr std::size_t kLanes = 32;

/// Sum and maximum of each run of 32 elements, as numbers in that order; every run of `block` elements begins anew.
std::vector<int> reference(const std::vector<int>& in, std::size_t grid, std::size_t block) {
  std::vector<int> results;
  for (std::size_t place = 0; place < grid * block; ++place) {
    const std::size_t lane = place % block % kLanes;
    if (lane == 0) results.insert(results.end(), {0, 0});
    const int value = place < in.size() ? in[place] : 0;
    int& sum = results[results.size() - 2];
    int& largest = results[results.size() - 1];
    if (lane < kLanes / 2) sum += value;
    if (lane >= kLanes / 2) largest = std::max(largest, value);
  }
  return results;
}

}  // namespace

Record run_masked_halves(const Setting& setting) {
  const auto in = sample<int>(setting.size, 1, 1000);
  const unsigned grid = covering_blocks(in.size(), setting.block);
  const warpfiber::Buffer<int> device_in(in);
  warpfiber::Buffer<HalfResults> results(std::size_t{grid} * covering_blocks(setting.block, kLanes));
  Trial trial(setting);
  trial.launch<masked_halves>({.grid = grid, .block = setting.block}, device_in.data(),
                              static_cast<unsigned>(in.size()), results.data());
  std::vector<int> numbers;
  for (const HalfResults& result : results.download()) numbers.insert(numbers.end(), {result.sum, result.largest});
  return trial.compare(numbers, reference(in, grid, setting.block));
}

}  // namespace gallery
