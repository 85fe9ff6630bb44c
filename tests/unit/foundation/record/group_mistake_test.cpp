// SPDX-License-Identifier: Apache-2.0
//
// What headers of the device's code find wrong with groups.
#include "record/group_mistake.hpp"

#include <set>

#include "support/catch.hpp"

using warpfiber::detail::GroupMisuse;
using warpfiber::record::Mistake;

TEST_CASE("each misuse of a group is a mistake of its own") {
  std::set<Mistake> mistakes;
  for (unsigned i = 0; i <= static_cast<unsigned>(GroupMisuse::producers_exceed_group); ++i) {
    mistakes.insert(warpfiber::record::mistake_of(static_cast<GroupMisuse>(i)));
  }
  CHECK(mistakes.size() == static_cast<std::size_t>(GroupMisuse::producers_exceed_group) + 1);
  CHECK(*mistakes.begin() == Mistake::tile_not_within_warp);
}
