// SPDX-License-Identifier: Apache-2.0
// Explains why a launch cannot go on: who waits where, for whom, and where those are. Called while every worker of the
// launch stands still.
#pragma once

#include "record/finding.hpp"

namespace warpfiber::engine {

struct Grid;
struct WorkerState;

/// Nothing can run and something is unfinished; or, with spinning threads, nothing but spinning happens.
record::Finding explain_stall(const Grid& grid);

/// The time of the run is over: where all threads are. Every worker rests.
record::Finding explain_end_of_time(const Grid& grid);

}  // namespace warpfiber::engine
