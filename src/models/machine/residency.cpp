// SPDX-License-Identifier: Apache-2.0
//
// Fills each SM with its part of what is resident and counts what fits next to it. The sum over the device is a second
// limit.
#include "machine/residency.hpp"

#include <algorithm>

namespace warpfiber::machine {
namespace {

constexpr std::uint64_t SmResources::*kParts[] = {&SmResources::warps, &SmResources::blocks, &SmResources::registers,
                                                  &SmResources::shared};
constexpr std::uint64_t kUnlimited = ~std::uint64_t{0};

/// How many of `each` fit into `capacity` of which `used` is taken.
std::uint64_t fitting(const SmResources& capacity, const SmResources& used, const SmResources& each) {
  std::uint64_t number = kUnlimited;
  for (const auto part : kParts) {
    if (each.*part == 0) continue;
    number = std::min(number, (capacity.*part - std::min(used.*part, capacity.*part)) / (each.*part));
  }
  return number;
}

void add(SmResources& to, const SmResources& each, std::uint64_t number) {
  for (const auto part : kParts) to.*part += each.*part * number;
}

}  // namespace

SmResources resources_of_sm(const DeviceModel& device) {
  return SmResources{device.max_warps_per_sm(), device.max_blocks_per_sm, device.registers_per_sm,
                     device.shared_per_sm};
}

SmResources resources_of_block(const Occupancy& occupancy) {
  return SmResources{occupancy.warps_per_block, 1, occupancy.registers_per_block, occupancy.shared_per_block};
}

std::uint64_t blocks_that_fit(const DeviceModel& device, std::span<const ResidentBlocks> held,
                              const SmResources& each) {
  if (std::all_of(held.begin(), held.end(), [](const ResidentBlocks& one) { return one.blocks == 0; }))
    return kUnlimited;
  const SmResources sm = resources_of_sm(device);
  std::uint64_t fit = 0;
  for (unsigned i = 0; i < device.sm_count; ++i) {
    SmResources used{0, 0, 0, 0};
    for (const ResidentBlocks& one : held) {
      add(used, one.each, one.blocks / device.sm_count + (i < one.blocks % device.sm_count ? 1 : 0));
    }
    fit += fitting(sm, used, each);
  }
  // Even spreading puts the last blocks of every launch on the same SMs; in all there is never more than there is.
  SmResources capacity{0, 0, 0, 0};
  SmResources used{0, 0, 0, 0};
  add(capacity, sm, device.sm_count);
  for (const ResidentBlocks& one : held) add(used, one.each, one.blocks);
  return std::min(fit, fitting(capacity, used, each));
}

}  // namespace warpfiber::machine
