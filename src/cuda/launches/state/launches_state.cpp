// SPDX-License-Identifier: Apache-2.0
//
// The room's one object, which constant initialisation makes.
#include "launches/state/launches_state.hpp"

#include <type_traits>

namespace warpfiber::launches {

static_assert(std::is_trivially_destructible_v<LaunchesState>, "services outlive the static objects of the program");

constinit LaunchesState LaunchesState::the_process_;

void LaunchesState::reset() {
  reported_pairs.reset();
  launch_extents.reset();
  unshown_output.reset();
  schedules.reset();
  numbered.store(0);
}

}  // namespace warpfiber::launches
