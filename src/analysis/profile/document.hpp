// SPDX-License-Identifier: Apache-2.0
// A profile as JSON, with the names of Nsight Compute's metrics (docs/counters.md).
#pragma once

#include <string>

#include "profile/profile.hpp"

namespace warpfiber::profile {

/// `name_of` gives the name of a kernel by its address. Looks up the line of each instruction. Not to be called on a
/// thread of a kernel.
std::string to_json(const Profile& profile, std::string (*name_of)(const void* kernel));

}  // namespace warpfiber::profile
