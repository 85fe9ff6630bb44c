// SPDX-License-Identifier: Apache-2.0
// The schedule of every launch of the process, kept in the file that WARPFIBER_SCHEDULE names (schedule/switches.hpp),
// so that `warpfiber check` can look for a shorter one. Any thread may call.
#pragma once

#include <cstdint>

#include "schedule/recording.hpp"

namespace warpfiber::launches {

/// Whether the session keeps schedules.
bool keeps_schedules();

/// The number of a launch that is about to be asked for, from 1, in the order of the program.
std::uint64_t next_launch();

/// Keeps what was decided in launch `launch`. The file has launches in their order, however they end. It also says how
/// many turns of threads were ended by the time that they took, which no other run repeats.
void keep_schedule(const schedule::Recording& decisions, std::uint64_t launch, std::uint64_t ended_by_time);

}  // namespace warpfiber::launches
