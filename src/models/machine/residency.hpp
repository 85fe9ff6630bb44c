// SPDX-License-Identifier: Apache-2.0
// How launches that run at the same time share one device. A launch alone gets what occupancy says; blocks of a further
// one fill what the others leave on each SM. Blocks of a launch are taken to be spread evenly, as the hardware does it.
// Arithmetic only.
#pragma once

#include <warpfiber/device.hpp>
#include <warpfiber/occupancy.hpp>

#include <cstdint>
#include <span>

namespace warpfiber::machine {

/// What a block takes of an SM, or what an SM has.
struct SmResources {
  std::uint64_t warps = 0;
  std::uint64_t blocks = 1;
  std::uint64_t registers = 0;
  std::uint64_t shared = 0;  // bytes
};

SmResources resources_of_sm(const DeviceModel& device);
SmResources resources_of_block(const Occupancy& occupancy);

/// The resident blocks of one launch.
struct ResidentBlocks {
  SmResources each;
  std::uint64_t blocks = 0;
};

/// How many blocks that take `each` fit next to `held`; ~0 where nothing is held.
std::uint64_t blocks_that_fit(const DeviceModel& device, std::span<const ResidentBlocks> held, const SmResources& each);

}  // namespace warpfiber::machine
