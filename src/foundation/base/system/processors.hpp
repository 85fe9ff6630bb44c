// SPDX-License-Identifier: Apache-2.0
// How many processors a process can keep busy, as containers give it a share of the machine's time, and what they can
// do.
#pragma once

#include <string>

namespace warpfiber::base {

/// At least 1, and no more than the processors that the calling thread may run on.
unsigned usable_processors();

/// What control groups leave of so many processors: the time that the group of a process, or one around it, may take in
/// a period, as whole processors. `membership` is what /proc/self/cgroup holds, `mounted` where groups are mounted.
unsigned processors_of_groups(unsigned processors, const std::string& membership, const std::string& mounted);

/// Which level of the x86-64 ABI the processor has ("Micro-Architecture Levels" of the psABI), for code that is
/// compiled for several of them: 1 to 4; 1 on other processors.
unsigned processor_level();

}  // namespace warpfiber::base
