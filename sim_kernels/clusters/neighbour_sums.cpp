// SPDX-License-Identifier: Apache-2.0
// Runs neighbour_sums with Setting::cluster blocks a cluster. Setting::size counts elements and is rounded up to whole
// clusters; blocks may have any size.
#include "neighbour_sums.hpp"

#include "clusters.hpp"

namespace gallery {

namespace {

/// Every run of `ring` elements is closed to a ring.
std::vector<int> reference(const std::vector<int>& in, std::size_t ring) {
  std::vector<int> sums;
  for (std::size_t i = 0; i < in.size(); ++i) {
    const std::size_t start = i / ring * ring;
    const std::size_t place = i % ring;
    sums.push_back(in[start + (place + ring - 1) % ring] + in[i] + in[start + (place + 1) % ring]);
  }
  return sums;
}

}  // namespace

Record run_neighbour_sums(const Setting& setting) {
  const unsigned ring = setting.block * setting.cluster;
  const unsigned clusters = covering_blocks(setting.size, ring);
  const auto in = sample<int>(std::size_t{clusters} * ring, 1, 1000);
  const warpfiber::Buffer<int> device_in(in);
  warpfiber::Buffer<int> sums(in.size());
  Trial trial(setting);
  trial.launch<neighbour_sums>({.grid = clusters * setting.cluster, .block = setting.block, .cluster = setting.cluster},
                               device_in.data(), sums.data());
  return trial.compare(sums.download(), reference(in, ring));
}

}  // namespace gallery
