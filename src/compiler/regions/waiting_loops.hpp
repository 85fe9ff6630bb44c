// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "regions/kernel.hpp"

namespace warpfiber::regions {

/// Why such a kernel runs on fibers.
inline constexpr const char* kWaitingLoop = "a loop may wait for what another thread does";

/// Whether a loop without a meeting ends when other threads have done something: those of the block could not do it.
/// The kernel is refused then.
bool waits_in_loop(Kernel& kernel);

}  // namespace warpfiber::regions
