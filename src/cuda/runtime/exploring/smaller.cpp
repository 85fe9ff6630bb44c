// SPDX-License-Identifier: Apache-2.0
//
// Cuts the extents one after the other, x first, so that their product stays within the limit. Grids are cut in whole
// clusters.
#include "runtime/exploring/smaller.hpp"

#include <algorithm>
#include <cstdint>

#include "process/settings/launching.hpp"

namespace warpfiber::runtime {
namespace {

/// At most `left`, in whole `unit`s and at least one; `left` is then what the other extents may have together.
unsigned cut(unsigned extent, unsigned unit, std::uint64_t& left) {
  const std::uint64_t units = std::min<std::uint64_t>(extent, std::max<std::uint64_t>(left, unit)) / unit;
  const auto kept = static_cast<unsigned>(units * unit);
  left = std::max<std::uint64_t>(left / kept, 1);
  return kept;
}

/// 0: any number.
dim3 cut(const dim3& shape, const base::Triple& unit, std::uint64_t most) {
  if (most == 0) return shape;
  const unsigned x = cut(shape.x, static_cast<unsigned>(unit.x), most);
  const unsigned y = cut(shape.y, static_cast<unsigned>(unit.y), most);
  const unsigned z = cut(shape.z, static_cast<unsigned>(unit.z), most);
  return {x, y, z};
}

}  // namespace

LaunchConfig made_smaller(LaunchConfig config, const base::Triple& cluster) {
  config.grid = cut(config.grid, cluster, process::launch_settings().most_blocks);
  config.block = cut(config.block, {1, 1, 1}, process::launch_settings().most_threads);
  return config;
}

}  // namespace warpfiber::runtime
