// SPDX-License-Identifier: Apache-2.0
//
// The room's one object, which constant initialisation makes.
#include "device_memory/state/device_memory_state.hpp"

#include <type_traits>

namespace warpfiber::device_memory {

static_assert(std::is_trivially_destructible_v<DeviceMemoryState>,
              "services outlive the static objects of the program");

constinit DeviceMemoryState DeviceMemoryState::the_process_;

void DeviceMemoryState::reset() {
  textures.reset();
  surfaces.reset();
  graphics.reset();
  arrays.reset();
  pools.reset();
  allocations.reset();
  kept_copies.reset();
}

}  // namespace warpfiber::device_memory
