// SPDX-License-Identifier: Apache-2.0
// The recording that a determinism check in progress on this OS thread fills, if there is one.
#pragma once

#include "schedule/recording.hpp"

namespace warpfiber::runtime {

/// Where launches of this OS thread append their decisions; null while no check runs.
schedule::Recording* recording_in_progress();

}  // namespace warpfiber::runtime
