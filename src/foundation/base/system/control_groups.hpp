// SPDX-License-Identifier: Apache-2.0
// Linux's control groups of both versions, as folders with a file for each limit: those of a process, which may be a
// container's. Sources: Linux kernel documentation, "Control Group v2" and "Control Groups version 1".
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace warpfiber::base {

/// Where groups are mounted.
inline constexpr const char* kControlGroups = "/sys/fs/cgroup";

/// What /proc/self/cgroup holds; empty where there is none.
std::string group_membership();

/// The folders of the groups that limit what `controller` ("cpu", "memory") gives, from the process's own group
/// outwards. `membership` is what /proc/self/cgroup holds, `mounted` where groups are mounted. Not all of them exist: a
/// container often sees its own group as the top one, under the path that it has outside.
std::vector<std::string> folders_of_groups(const std::string& membership, const std::string& mounted,
                                           std::string_view controller);

/// Bytes that the groups of a process still give it; the largest number where they set no limit.
std::size_t memory_left_in_groups(const std::string& membership, const std::string& mounted);

/// How the groups of a process limit its memory.
struct MemoryGroups {
  std::size_t limit = 0;    // bytes, the smallest of theirs; the largest number where there is none
  std::uint64_t kills = 0;  // processes in them that the system has ended for lack of memory
};
MemoryGroups memory_groups(const std::string& membership, const std::string& mounted);

}  // namespace warpfiber::base
