// SPDX-License-Identifier: Apache-2.0
// Threads that have arrived at a barrier in two parts and have yet to wait: each keeps its arrival until then, so that
// every broken pairing is reported with its lines.
#pragma once

#include <warpfiber/detail/group.hpp>

#include "engine/choosing/choosing.hpp"
#include "engine/state/worker_state.hpp"

namespace warpfiber::engine {

OpenArrival& open_arrival(ResidentBlock& block, unsigned thread, detail::SplitBarrier barrier);

/// The running thread, one of `block`, comes to a collective of the group that has a rendezvous of its own, and so no
/// phase to finish.
void note_between(ResidentBlock& block, detail::SplitBarrier barrier, Site site);

/// The running thread, one of `block`, returns. If it has arrived somewhere and not waited, that ends the launch.
void check_open_arrivals(const WorkerState& worker, Choosing& choosing, ResidentBlock& block);

}  // namespace warpfiber::engine
