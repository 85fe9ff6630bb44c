// SPDX-License-Identifier: Apache-2.0
// Kernels and the host program that use the same memory in operations that nothing orders, as findings. Each pair of
// instructions is reported once in a process, whichever of the two came first. Any thread may call, none inside a
// kernel.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "check/running/launches.hpp"
#include "launches/checking/host_accesses.hpp"
#include "record/finding.hpp"

namespace warpfiber::launches {

/// What of a device's memory lies there.
record::ObjectFacts object_of(const char* at, std::size_t bytes);

/// What the host does there, for a finding.
record::Role role_of(const HostAccess& access);

/// The words for that: the operation, or "store" and "load" of the program's own accesses.
std::string words_of(const HostAccess& access);

/// Whether nothing has been reported yet that uses memory before this call allocates it: one wait mends all of it.
bool is_first_use(const HostAccess& allocation);

/// The access of the host's against what these launches, which nothing orders before or behind it, have done there.
std::vector<record::Finding> conflicts(const HostAccess& access, const check::LaunchSet& launches);

/// A launch that is over against what the host has done meanwhile, or before, in operations that nothing orders.
std::vector<record::Finding> conflicts_of_launch(const record::LaunchOrder& launch);

/// __constant__ variables of a header, of which each file has a copy of its own: what the launch, which is over, has
/// read of a copy that was never set, because the program has set that of another file, as warnings.
std::vector<record::Finding> unset_constants_of(const record::LaunchOrder& launch);

}  // namespace warpfiber::launches
