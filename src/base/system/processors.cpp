// SPDX-License-Identifier: Apache-2.0
//
// Reads the limits of both versions of Linux's control groups: cpu.max ("50000 100000", "max 100000"), and
// cpu.cfs_quota_us with cpu.cfs_period_us. A file that is not there limits nothing.
#include "base/system/processors.hpp"

#include <sched.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string_view>
#include <thread>

namespace warpfiber::base {
namespace {

/// Microseconds of processors' time in a period of so many; -1 or nothing: no limit.
struct TimeShare {
  double quota = -1;
  double period = 0;

  unsigned of(unsigned processors) const {
    if (quota <= 0 || period <= 0 || quota / period >= processors) return processors;
    const auto whole = static_cast<unsigned>(quota / period);
    return std::max(1U, whole < quota / period ? whole + 1 : whole);
  }
};

double number_in(const std::string& file) {
  double number = -1;
  std::ifstream(file) >> number;
  return number;
}

TimeShare share_of(const std::string& folder) {
  TimeShare share;
  if (std::ifstream file(folder + "/cpu.max"); file >> share.quota) {
    file >> share.period;
    return share;
  }
  return {number_in(folder + "/cpu.cfs_quota_us"), number_in(folder + "/cpu.cfs_period_us")};
}

bool is_cpu(std::string_view controllers) {
  return controllers.empty() || ("," + std::string(controllers) + ",").find(",cpu,") != std::string::npos;
}

}  // namespace

unsigned processors_of_groups(unsigned processors, const std::string& membership, const std::string& mounted) {
  std::istringstream lines(membership);
  for (std::string line; std::getline(lines, line);) {
    // "0::/group" of version 2, "3:cpu,cpuacct:/group" of version 1
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first == std::string::npos ? first : first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    if (!is_cpu(controllers)) continue;
    const std::string hierarchy = controllers.empty() ? mounted : mounted + "/" + controllers;
    // A container often sees its own group as the top one, under the path that it has outside.
    for (std::string group = line.substr(second + 1);; group.erase(group.find_last_of('/'))) {
      processors = share_of(hierarchy + group).of(processors);
      if (group.find('/') == std::string::npos) break;
    }
  }
  return processors;
}

unsigned usable_processors() {
  unsigned processors = std::max(1U, std::thread::hardware_concurrency());
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) == 0) {
    processors = std::min(processors, static_cast<unsigned>(std::max(1, CPU_COUNT(&allowed))));
  }
  std::ostringstream membership;
  if (const std::ifstream file("/proc/self/cgroup"); file) membership << file.rdbuf();
  return processors_of_groups(processors, membership.str(), "/sys/fs/cgroup");
}

}  // namespace warpfiber::base
