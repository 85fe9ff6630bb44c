// SPDX-License-Identifier: Apache-2.0
// Reads the limits of both versions of Linux's control groups: cpu.max ("50000 100000", "max 100000"), and
// cpu.cfs_quota_us with cpu.cfs_period_us. A file that is not there limits nothing.
#include "base/system/processors.hpp"

#include <warpfiber/detail/host_instructions.hpp>

#include <sched.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <thread>

#include "base/arch/processor.hpp"
#include "base/system/control_groups.hpp"

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

}  // namespace

unsigned processors_of_groups(unsigned processors, const std::string& membership, const std::string& mounted) {
  for (const std::string& group : folders_of_groups(membership, mounted, "cpu")) {
    processors = share_of(group).of(processors);
  }
  return processors;
}

unsigned usable_processors() {
  unsigned processors = std::max(1U, std::thread::hardware_concurrency());
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) == 0) {
    processors = std::min(processors, static_cast<unsigned>(std::max(1, CPU_COUNT(&allowed))));
  }
  return processors_of_groups(processors, group_membership(), kControlGroups);
}

unsigned processor_level() {
  static const unsigned level = find_processor_level();
  return level;
}

}  // namespace warpfiber::base

namespace warpfiber::detail {

// Asked once in the process. Without the instruction, callers use the C library's fma().
const HostInstructions host_instructions = base::find_host_instructions();

float fused_by_library(float x, float y, float z) noexcept {
  return std::fma(x, y, z);
}
double fused_by_library(double x, double y, double z) noexcept {
  return std::fma(x, y, z);
}

}  // namespace warpfiber::detail
