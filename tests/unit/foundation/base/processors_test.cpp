// SPDX-License-Identifier: Apache-2.0
// What is left of a machine's processors by control groups of both versions, in a folder that stands for theirs.
#include "base/system/processors.hpp"

#include <string>

#include "unit/foundation/base/group_folders.hpp"

namespace {

using warpfiber::base::processors_of_groups;

struct TimeGroups : warpfiber::test::Groups {
  unsigned left_of(unsigned processors, const std::string& membership) const {
    return processors_of_groups(processors, membership, mounted());
  }
};

}  // namespace

TEST_CASE("a group's share of time is counted in whole processors, rounded up") {
  const TimeGroups groups;
  groups.put("/half", "cpu.max", "50000 100000");
  groups.put("/three", "cpu.max", "300000 100000");
  groups.put("/more", "cpu.max", "250000 100000");
  groups.put("/all", "cpu.max", "max 100000");
  groups.put("/many", "cpu.max", "9900000 100000");
  CHECK(groups.left_of(8, "0::/half\n") == 1);
  CHECK(groups.left_of(8, "0::/three\n") == 3);
  CHECK(groups.left_of(8, "0::/more\n") == 3);
  CHECK(groups.left_of(8, "0::/all\n") == 8);
  CHECK(groups.left_of(8, "0::/many\n") == 8);
}

TEST_CASE("the smallest share of a group and those around it counts") {
  const TimeGroups groups;
  groups.put("/outer", "cpu.max", "200000 100000");
  groups.put("/outer/inner", "cpu.max", "max 100000");
  groups.put("/outer/inner/own", "cpu.max", "600000 100000");
  CHECK(groups.left_of(8, "0::/outer/inner/own\n") == 2);
}

TEST_CASE("a container's group is found at the top, where it sees it under another path") {
  const TimeGroups groups;
  groups.put("", "cpu.max", "100000 100000");
  CHECK(groups.left_of(8, "0::/docker/0123456789abcdef\n") == 1);
  CHECK(groups.left_of(8, "0::/../other\n") == 1);
}

TEST_CASE("groups of version 1 have the share in two files") {
  const TimeGroups groups;
  groups.put("/cpu,cpuacct/own", "cpu.cfs_quota_us", "150000");
  groups.put("/cpu,cpuacct/own", "cpu.cfs_period_us", "100000");
  groups.put("/cpu,cpuacct", "cpu.cfs_quota_us", "-1");
  groups.put("/cpu,cpuacct", "cpu.cfs_period_us", "100000");
  groups.put("/cpuset/own", "cpu.cfs_quota_us", "100000");
  groups.put("/cpuset/own", "cpu.cfs_period_us", "100000");
  CHECK(groups.left_of(8, "5:cpuset:/own\n3:cpu,cpuacct:/own\n1:name=systemd:/own\n") == 2);
}

TEST_CASE("what is not there or makes no sense limits nothing") {
  const TimeGroups groups;
  groups.put("/words", "cpu.max", "plenty of time");
  groups.put("/nothing", "cpu.max", "0 100000");
  groups.put("/periodless", "cpu.max", "50000");
  CHECK(groups.left_of(8, "") == 8);
  CHECK(groups.left_of(8, "no colons\n:\n0::\n") == 8);
  CHECK(groups.left_of(8, "0::/gone\n") == 8);
  CHECK(groups.left_of(8, "0::/words\n0::/nothing\n0::/periodless\n") == 8);
}
