// SPDX-License-Identifier: Apache-2.0
// The engine's door: runs one launch to its end on the calling OS thread and as many others as it asks for.
#pragma once

#include "engine/grid.hpp"

namespace warpfiber::engine {

/// Returns when every thread of the grid has returned or the launch has ended with a finding. Thread safe; must not be
/// called from inside a kernel.
GridOutcome run_grid(const GridRequest& request);

/// Whether the calling OS thread is running a kernel.
bool inside_kernel();

}  // namespace warpfiber::engine
