// SPDX-License-Identifier: Apache-2.0
// Commands of the host program, and the program itself, that use the same memory in operations that nothing orders; no
// kernel takes part. Each pair of instructions is reported once in a process. Any thread may call, none inside a
// kernel.
#pragma once

#include <span>
#include <vector>

#include "launches/checking/host_accesses.hpp"
#include "record/finding.hpp"

namespace warpfiber::runtime {

/// Of these, those that are commands.
std::vector<launches::HostAccess> commands_of(std::vector<launches::HostAccess> accesses);

/// `access` against accesses that nothing orders before or behind it.
std::vector<record::Finding> host_conflicts(const launches::HostAccess& access,
                                            std::span<const launches::HostAccess> concurrent);

}  // namespace warpfiber::runtime
