// SPDX-License-Identifier: Apache-2.0
#include "machine/residency.hpp"

#include <algorithm>

namespace warpfiber::machine {
namespace {

constexpr std::uint64_t Room::*kParts[] = {&Room::warps, &Room::blocks, &Room::registers, &Room::shared};
constexpr std::uint64_t kUnlimited = ~std::uint64_t{0};

/// How many of `each` fit into `capacity` of which `used` is taken.
std::uint64_t fitting(const Room& capacity, const Room& used, const Room& each) {
  std::uint64_t number = kUnlimited;
  for (const auto part : kParts) {
    if (each.*part == 0) continue;
    number = std::min(number, (capacity.*part - std::min(used.*part, capacity.*part)) / (each.*part));
  }
  return number;
}

void add(Room& to, const Room& each, std::uint64_t number) {
  for (const auto part : kParts) to.*part += each.*part * number;
}

}  // namespace

Room room_of_sm(const DeviceModel& device) {
  return Room{device.max_warps_per_sm(), device.max_blocks_per_sm, device.registers_per_sm, device.shared_per_sm};
}

Room room_of_block(const Occupancy& occupancy) {
  return Room{occupancy.warps_per_block, 1, occupancy.registers_per_block, occupancy.shared_per_block};
}

std::uint64_t blocks_that_fit(const DeviceModel& device, std::span<const Holding> held, const Room& each) {
  if (std::all_of(held.begin(), held.end(), [](const Holding& one) { return one.blocks == 0; })) return kUnlimited;
  const Room sm = room_of_sm(device);
  std::uint64_t fit = 0;
  for (unsigned i = 0; i < device.sm_count; ++i) {
    Room used{0, 0, 0, 0};
    for (const Holding& one : held) {
      add(used, one.each, one.blocks / device.sm_count + (i < one.blocks % device.sm_count ? 1 : 0));
    }
    fit += fitting(sm, used, each);
  }
  // Even spreading puts the last blocks of every launch on the same SMs; in all there is never more than there is.
  Room capacity{0, 0, 0, 0};
  Room used{0, 0, 0, 0};
  add(capacity, sm, device.sm_count);
  for (const Holding& one : held) add(used, one.each, one.blocks);
  return std::min(fit, fitting(capacity, used, each));
}

}  // namespace warpfiber::machine
