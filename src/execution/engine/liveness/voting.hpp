// SPDX-License-Identifier: Apache-2.0
// How the workers of one launch wait for each other, and how the last of them finds out that nothing can go on.
#pragma once

#include "engine/liveness/circles.hpp"
#include "engine/state/worker_state.hpp"

namespace warpfiber::engine {

/// Nothing on this worker can run. Waits for another worker's doing; the last worker to come here decides that there is
/// none to come. False when this worker is done with the launch.
bool wait_for_event(WorkerState& worker);

/// Nothing but spinning happens on this worker, or another worker asks whether that is so. If it is so everywhere, ends
/// the launch with a report and returns true. `circles` is the worker's.
bool stop_if_all_circle(WorkerState& worker, Circles& circles);

/// The time is over. Waits until every worker of the launch has come here, and ends it.
void rest(WorkerState& worker);

/// The worker takes no more part; those that wait may now be the last ones.
void leave_grid(Grid& grid);

}  // namespace warpfiber::engine
