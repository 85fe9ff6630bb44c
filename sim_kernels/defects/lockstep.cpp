// SPDX-License-Identifier: Apache-2.0
// Runs the four programs that assume that the lanes of a warp move in lock step, and their corrected twins, each on one
// warp. Their settings say nothing but the engine's options.
#include "defects.hpp"
#include "mask_from_activemask.hpp"
#include "mask_from_activemask_corrected.hpp"
#include "shuffle_between_syncwarps.hpp"
#include "shuffle_between_syncwarps_corrected.hpp"
#include "sum_missing_syncwarp.hpp"
#include "sum_missing_syncwarp_corrected.hpp"
#include "vote_after_branch.hpp"
#include "vote_after_branch_corrected.hpp"

#include <numeric>

namespace gallery {

namespace {

constexpr unsigned kLanes = 32;
constexpr unsigned kSummed = 23;  // elements, so that lanes are left over
constexpr warpfiber::LaunchConfig kOneWarp{.grid = 1, .block = kLanes};

std::vector<int> input() {
  return sample<int>(kLanes, 1, 1000);
}

template <auto Kernel>
Record sum_warp(const Setting& setting) {
  const auto in = input();
  const warpfiber::Buffer<int> device_in(in);
  warpfiber::Buffer<int> sum(1);
  Trial trial(setting);
  trial.launch<Kernel>(kOneWarp, device_in.data(), sum.data());
  return trial.compare(sum.download(), {std::accumulate(in.begin(), in.end(), 0)});
}

template <auto Kernel>
Record sum_some_lanes(const Setting& setting) {
  const auto in = input();
  const warpfiber::Buffer<int> device_in(in);
  warpfiber::Buffer<int> sum(1);
  Trial trial(setting);
  trial.launch<Kernel>(kOneWarp, device_in.data(), kSummed, sum.data());
  return trial.compare(sum.download(), {std::accumulate(in.begin(), in.begin() + kSummed, 0)});
}

template <auto Kernel>
Record count_votes(const Setting& setting) {
  const auto in = input();
  unsigned reference = 0;
  for (unsigned i = 0; i < kLanes; ++i) reference += (i % 2 != 0 ? in[i] > 500 : in[i] < 500) ? 1 : 0;
  const warpfiber::Buffer<int> device_in(in);
  warpfiber::Buffer<unsigned> votes(1);
  Trial trial(setting);
  trial.launch<Kernel>(kOneWarp, device_in.data(), votes.data());
  return trial.compare(votes.download(), {reference});
}

template <auto Kernel>
Record copy_first(const Setting& setting) {
  const auto in = input();
  std::vector<int> reference;
  for (unsigned i = 0; i < kLanes; ++i) reference.push_back(in[0] + (i % 2 != 0 ? 1 : 2));
  const warpfiber::Buffer<int> device_in(in);
  warpfiber::Buffer<int> copies(kLanes);
  Trial trial(setting);
  trial.launch<Kernel>(kOneWarp, device_in.data(), copies.data());
  return trial.compare(copies.download(), reference);
}

}  // namespace

Record run_sum_missing_syncwarp(const Setting& setting) {
  return sum_warp<sum_missing_syncwarp>(setting);
}
Record run_sum_missing_syncwarp_corrected(const Setting& setting) {
  return sum_warp<sum_with_both_syncwarps>(setting);
}
Record run_mask_from_activemask(const Setting& setting) {
  return sum_some_lanes<mask_from_activemask>(setting);
}
Record run_mask_from_activemask_corrected(const Setting& setting) {
  return sum_some_lanes<mask_from_ballot>(setting);
}
Record run_vote_after_branch(const Setting& setting) {
  return count_votes<vote_after_branch>(setting);
}
Record run_vote_after_branch_corrected(const Setting& setting) {
  return count_votes<vote_of_all_lanes>(setting);
}
Record run_shuffle_between_syncwarps(const Setting& setting) {
  return copy_first<shuffle_between_syncwarps>(setting);
}
Record run_shuffle_between_syncwarps_corrected(const Setting& setting) {
  return copy_first<shuffle_of_all_lanes>(setting);
}

}  // namespace gallery
