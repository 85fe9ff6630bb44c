// SPDX-License-Identifier: Apache-2.0
// What the initialisers of a program call whose threads may meet or wait for others than all of a warp, block, cluster
// or grid (warpfiber/detail/checked.hpp).
#include "check/cells/check_state.hpp"

extern "C" __attribute__((visibility("default"))) void warpfiber_meets_some() {
  warpfiber::check::CheckState::of_process().meets_some = true;
}
