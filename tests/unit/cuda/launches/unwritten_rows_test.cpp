// SPDX-License-Identifier: Apache-2.0
// Which gaps look like columns of a matrix that no thread has computed.
#include "launches/checking/unwritten_rows.hpp"

#include "support/catch.hpp"

namespace warpfiber::launches {
namespace {

char memory[4096];

RowGaps gaps_of(std::initializer_list<check::Stretch> stretches) {
  RowGaps gaps;
  for (const check::Stretch& one : stretches) gaps.add(one);
  return gaps;
}

TEST_CASE("gaps of one length and distance are regular") {
  const RowGaps gaps = gaps_of({{memory + 320, 40}, {memory + 680, 40}, {memory + 1040, 40}});
  CHECK(gaps.are_regular());
  CHECK(gaps.rows() == 3);
  CHECK(gaps.pitch() == 360);
  CHECK(gaps.written() == 320);
}

TEST_CASE("the last gap may be longer, for unwritten rows behind it") {
  CHECK(gaps_of({{memory + 320, 40}, {memory + 680, 40}, {memory + 1040, 400}}).are_regular());
}

TEST_CASE("gaps of other lengths or distances are not regular") {
  CHECK_FALSE(gaps_of({{memory, 40}}).are_regular());
  CHECK_FALSE(gaps_of({{memory, 40}, {memory + 360, 40}, {memory + 700, 40}}).are_regular());
  CHECK_FALSE(gaps_of({{memory, 40}, {memory + 360, 24}}).are_regular());
  CHECK_FALSE(gaps_of({{memory, 40}, {memory + 360, 80}, {memory + 720, 40}}).are_regular());
}

TEST_CASE("rows are cut where they have as many elements as a launch has threads") {
  LaunchExtents extents;
  extents.add("k", 80, 96);
  const auto cut = extents.cut_at(320, 360);
  REQUIRE(cut.has_value());
  CHECK(cut->threads == 80);
  CHECK(cut->axis == 'x');
  CHECK(extents.cut_at(96 * 8, 800)->axis == 'y');
  CHECK_FALSE(extents.cut_at(324, 360).has_value());
  CHECK_FALSE(extents.cut_at(80 * 32, 4096).has_value());
}

TEST_CASE("padding of structures and of pitched rows is no gap") {
  LaunchExtents extents;
  extents.add("k", 25, 8);
  CHECK(extents.cut_at(100, 512).has_value());
  extents.add_padded_rows(100, 512);
  CHECK_FALSE(extents.cut_at(100, 512).has_value());
  CHECK_FALSE(extents.cut_at(50, 64).has_value());
}

}  // namespace
}  // namespace warpfiber::launches
