// SPDX-License-Identifier: Apache-2.0
// The stops that WARPFIBER_STEP asks for, which `warpfiber step` sets: begun before the first launch. A reset of the
// devices changes nothing about them.
#pragma once

namespace warpfiber::runtime {

/// Counts statements of launches from now on if it is asked for. Called before each launch; the first call does it.
void begin_steps();

/// The process ends: the last stop, if there are any.
void end_steps();

}  // namespace warpfiber::runtime
