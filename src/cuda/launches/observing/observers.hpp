// SPDX-License-Identifier: Apache-2.0
// Who observes the launches of the process, apart from the checker, and what of that the environment asks for besides
// the trace: the profile of WARPFIBER_PROFILE (docs/counters.md), written when the process ends, and the stops of
// WARPFIBER_STEP, which `warpfiber step` sets. A reset of the devices changes nothing about these.
#pragma once

#include <span>
#include <string>

#include "record/observer.hpp"

namespace warpfiber::launches {

/// Launches that are asked for from now on are observed, until the observer is removed. Not while launches run.
void add_launch_observer(record::ObserverFactory& observer);
void remove_launch_observer(record::ObserverFactory& observer);

/// Valid until one is added or removed.
std::span<record::ObserverFactory* const> launch_observers();

/// Observes launches from now on if a profile is asked for. Called before each launch; the first call does it.
void begin_profile();

/// The counters so far as JSON.
std::string profile_document();

/// Writes the file, if there is a profile. One that cannot be written is complained about.
void write_profile();

/// Counts statements of launches from now on if it is asked for. Called before each launch; the first call does it.
void begin_steps();

/// The process ends: the last stop, if there are any.
void end_steps();

}  // namespace warpfiber::launches
