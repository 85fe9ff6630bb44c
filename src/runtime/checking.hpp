// SPDX-License-Identifier: Apache-2.0
// Connects the checker with the host program: what copies and fills define, what is allocated and freed.
#pragma once

namespace warpfiber::runtime {

/// Launches of this process are checked from now on, unless the session says otherwise. Called by the hooks of a
/// checked program before main().
void begin_checking();

}  // namespace warpfiber::runtime
