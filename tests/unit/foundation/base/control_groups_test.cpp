// SPDX-License-Identifier: Apache-2.0
// What control groups of both versions leave of memory, in a folder that stands for theirs.
#include "base/system/control_groups.hpp"

#include <limits>

#include "unit/foundation/base/group_folders.hpp"

namespace {

using warpfiber::base::memory_groups;
using warpfiber::base::memory_left_in_groups;
using warpfiber::test::Groups;

constexpr std::size_t kNoLimit = std::numeric_limits<std::size_t>::max();

}  // namespace

TEST_CASE("the least that a group or one around it has left of memory counts") {
  const Groups groups;
  groups.put("/outer", "memory.max", "1000");
  groups.put("/outer", "memory.current", "900");
  groups.put("/outer/own", "memory.max", "500");
  groups.put("/outer/own", "memory.current", "300");
  CHECK(memory_left_in_groups("0::/outer/own\n", groups.mounted()) == 100);
  CHECK(memory_groups("0::/outer/own\n", groups.mounted()).limit == 500);
}

TEST_CASE("groups of version 1 have a hierarchy for memory") {
  const Groups groups;
  groups.put("/memory/own", "memory.limit_in_bytes", "134217728");
  groups.put("/memory/own", "memory.usage_in_bytes", "34217728");
  groups.put("/memory/own", "memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 3");
  CHECK(memory_left_in_groups("4:memory:/own\n3:cpu:/other\n", groups.mounted()) == 100000000);
  CHECK(memory_groups("4:memory:/own\n", groups.mounted()).kills == 3);
}

TEST_CASE("a group that has used more than it may has nothing left") {
  const Groups groups;
  groups.put("/own", "memory.max", "500");
  groups.put("/own", "memory.current", "600");
  CHECK(memory_left_in_groups("0::/own\n", groups.mounted()) == 0);
}

TEST_CASE("processes that were ended for lack of memory are counted by version 2 in a file of events") {
  const Groups groups;
  groups.put("/own", "memory.events", "low 0\nhigh 7\nmax 9\noom 2\noom_kill 2\noom_group_kill 1");
  CHECK(memory_groups("0::/own\n", groups.mounted()).kills == 2);
}

TEST_CASE("memory is not limited by files that are missing or have no number") {
  const Groups groups;
  groups.put("/own", "memory.max", "max");
  groups.put("/own", "memory.current", "600");
  CHECK(memory_left_in_groups("0::/own\n", groups.mounted()) == kNoLimit);
  CHECK(memory_left_in_groups("0::/gone\n", groups.mounted()) == kNoLimit);
  CHECK(memory_left_in_groups("", groups.mounted()) == kNoLimit);
  CHECK(memory_groups("0::/own\n", groups.mounted()).kills == 0);
}
