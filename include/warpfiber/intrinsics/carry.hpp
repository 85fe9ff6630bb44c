// SPDX-License-Identifier: Apache-2.0
// The carry flag of inline PTX. Instructions that make or take a carry may stand in statements and functions of their
// own, so it outlives them. Written by ptx_carry.hpp; the engine keeps it where the clock takes a thread its turn.
#pragma once

#include <warpfiber/detail/config.hpp>

namespace warpfiber::detail {

/// CC.CF of the running thread. Functions that use it are no regions (regions.hpp), whose threads would share it.
extern constinit thread_local bool carry_flag WARPFIBER_OF_THREAD("warpfiber_carry_flag");

}  // namespace warpfiber::detail
