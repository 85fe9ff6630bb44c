// SPDX-License-Identifier: Apache-2.0
// Commands of the host program, and the program itself, that use the same memory in operations that nothing orders; no
// kernel takes part. Each pair of instructions is reported once in a process. Any thread may call, none inside a
// kernel.
#pragma once

#include <span>
#include <vector>

#include "record/finding.hpp"
#include "runtime/checking/host_accesses.hpp"

namespace warpfiber::runtime {

/// Of these, those that are commands.
std::vector<HostAccess> commands_of(std::vector<HostAccess> accesses);

/// `access` against accesses that nothing orders before or behind it.
std::vector<record::Finding> host_conflicts(const HostAccess& access, std::span<const HostAccess> concurrent);

}  // namespace warpfiber::runtime
