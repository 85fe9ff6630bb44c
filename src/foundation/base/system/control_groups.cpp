// SPDX-License-Identifier: Apache-2.0
//
// Version 2 has one hierarchy and memory.max, memory.current, memory.events. Version 1 has a hierarchy for each
// controller and memory.limit_in_bytes, memory.usage_in_bytes, memory.oom_control. A file that is not there limits
// nothing.
#include "base/system/control_groups.hpp"

#include <algorithm>
#include <fstream>
#include <limits>
#include <optional>
#include <sstream>

namespace warpfiber::base {
namespace {

constexpr std::size_t kNoLimit = std::numeric_limits<std::size_t>::max();

bool has(std::string_view controllers, std::string_view controller) {
  return ("," + std::string(controllers) + ",").find("," + std::string(controller) + ",") != std::string::npos;
}

/// The number in one of two files of a group; nothing where neither has one, as with "max".
std::optional<std::size_t> number_in(const std::string& group, const char* file, const char* file_of_version_1) {
  for (const char* name : {file, file_of_version_1}) {
    std::size_t number = 0;
    if (std::ifstream(group + "/" + name) >> number) return number;
  }
  return std::nullopt;
}

/// The number behind the word "oom_kill".
std::uint64_t kills_in(const std::string& group) {
  std::uint64_t kills = 0;
  for (const char* name : {"/memory.events", "/memory.oom_control"}) {
    std::ifstream file(group + name);
    std::string key;
    std::uint64_t number = 0;
    while (file >> key >> number) {
      if (key == "oom_kill") kills = std::max(kills, number);
    }
  }
  return kills;
}

}  // namespace

std::string group_membership() {
  std::ostringstream membership;
  if (const std::ifstream file("/proc/self/cgroup"); file) membership << file.rdbuf();
  return membership.str();
}

std::vector<std::string> folders_of_groups(const std::string& membership, const std::string& mounted,
                                           std::string_view controller) {
  std::vector<std::string> folders;
  std::istringstream lines(membership);
  for (std::string line; std::getline(lines, line);) {
    // "0::/group" of version 2, "3:cpu,cpuacct:/group" of version 1
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first == std::string::npos ? first : first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    if (!controllers.empty() && !has(controllers, controller)) continue;
    const std::string hierarchy = controllers.empty() ? mounted : mounted + "/" + controllers;
    for (std::string group = line.substr(second + 1);; group.erase(group.find_last_of('/'))) {
      folders.push_back(hierarchy + group);
      if (group.find('/') == std::string::npos) break;
    }
  }
  return folders;
}

std::size_t memory_left_in_groups(const std::string& membership, const std::string& mounted) {
  std::size_t left = kNoLimit;
  for (const std::string& group : folders_of_groups(membership, mounted, "memory")) {
    const auto limit = number_in(group, "memory.max", "memory.limit_in_bytes");
    const auto used = number_in(group, "memory.current", "memory.usage_in_bytes");
    if (!limit.has_value() || !used.has_value()) continue;
    left = std::min(left, *limit > *used ? *limit - *used : 0);
  }
  return left;
}

MemoryGroups memory_groups(const std::string& membership, const std::string& mounted) {
  MemoryGroups of_process{.limit = kNoLimit};
  for (const std::string& group : folders_of_groups(membership, mounted, "memory")) {
    const auto limit = number_in(group, "memory.max", "memory.limit_in_bytes");
    of_process.limit = std::min(of_process.limit, limit.value_or(kNoLimit));
    of_process.kills += kills_in(group);
  }
  return of_process;
}

}  // namespace warpfiber::base
