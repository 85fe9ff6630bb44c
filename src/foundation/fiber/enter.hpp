// SPDX-License-Identifier: Apache-2.0
// First entry into a fiber, for both kinds of switch.
#pragma once

#include <warpfiber/detail/fiber.hpp>

namespace warpfiber::fiber {

/// The next switch to `fiber` starts `entry` on a fresh stack. `entry` must never return.
void prepare_entry(detail::Fiber& fiber, void (*entry)());

}  // namespace warpfiber::fiber
