// SPDX-License-Identifier: Apache-2.0
// The profile that WARPFIBER_PROFILE asks for (docs/counters.md): begun before the first launch, written when the
// process ends. A reset of the devices changes nothing about it.
#pragma once

#include <string>

namespace warpfiber::runtime {

/// Observes launches from now on if a profile is asked for. Called before each launch; the first call does it.
void begin_profile();

/// The counters so far as JSON.
std::string profile_document();

/// Writes the file, if there is a profile. One that cannot be written is complained about.
void write_profile();

}  // namespace warpfiber::runtime
