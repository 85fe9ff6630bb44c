// SPDX-License-Identifier: Apache-2.0
//
// The counters are the system's own (base/system/control_groups.hpp).
#include "tools/nvcc/processes/memory_kills.hpp"

#include <fmt/format.h>

#include "base/system/control_groups.hpp"
#include "base/text.hpp"

namespace warpfiber::tools::nvcc {
namespace {

base::MemoryGroups own_groups() {
  return base::memory_groups(base::group_membership(), base::kControlGroups);
}

}  // namespace

MemoryKills::MemoryKills() : before_(own_groups().kills) {}

std::string MemoryKills::note() const {
  const base::MemoryGroups now = own_groups();
  if (now.kills == before_) return {};
  return fmt::format(" for lack of memory: its control group may use {}", base::bytes_text(now.limit));
}

}  // namespace warpfiber::tools::nvcc
