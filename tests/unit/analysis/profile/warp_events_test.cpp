// SPDX-License-Identifier: Apache-2.0
// Which events of a warp's lanes are one execution, and where in its loops and calls a lane is.
#include "profile/warp_events.hpp"

#include <string>
#include <vector>

#include "profile/lane_positions.hpp"
#include "support/catch.hpp"

namespace warpfiber::profile {
namespace {

using detail::ControlFlow;

/// The lanes of each execution, in the order in which they are first made; lane i makes the events of `lanes[i]`.
std::vector<std::uint32_t> executions(const std::vector<std::string>& lanes) {
  WarpEvents events;
  for (unsigned lane = 0; lane < lanes.size(); ++lane) {
    for (const char key : lanes[lane]) events.add(lane, static_cast<std::uint64_t>(key), true);
  }
  events.settle();
  std::vector<std::uint32_t> found;
  for (std::size_t place = 0; place < events.size(); ++place) found.push_back(events.lanes(place));
  return found;
}

}  // namespace

TEST_CASE("lanes that do the same execute together") {
  CHECK(executions({"aab", "aab", "aab"}) == std::vector<std::uint32_t>{7, 7, 7});
}

TEST_CASE("a lane that stops earlier or goes on longer is not in the last executions") {
  CHECK(executions({"aa", "aaab", "a"}) == std::vector<std::uint32_t>{7, 3, 2, 2});
}

TEST_CASE("lanes that part execute together what comes behind") {
  CHECK(executions({"abd", "acd", "acd", "abd"}) == std::vector<std::uint32_t>{15, 9, 15, 6});
  CHECK(executions({"ad", "abd", "acd"}) == std::vector<std::uint32_t>{7, 7, 2, 4});
}

TEST_CASE("the n-th events with a key are one execution") {
  CHECK(executions({"ab", "aabb", "ba"}) == std::vector<std::uint32_t>{7, 7, 2, 2});
}

TEST_CASE("without room a new execution has no place and a known one has its own") {
  WarpEvents events;
  CHECK(events.add(0, 1, true) == 0);
  CHECK(events.add(0, 2, false) == WarpEvents::kNone);
  CHECK(events.add(1, 1, false) == 0);
  CHECK(events.add(1, 3, false) == WarpEvents::kNone);
  CHECK(events.size() == 1);
}

TEST_CASE("a cleared warp begins anew") {
  WarpEvents events;
  events.add(0, 1, true);
  events.add(1, 2, true);
  events.clear();
  CHECK(events.size() == 0);
  events.add(1, 2, true);
  events.settle();
  CHECK(events.lanes(0) == 2);
}

TEST_CASE("a position is that of the pass, and outside of the loop what it was before") {
  LanePosition position;
  const std::uint64_t before = position.value();
  position.change(ControlFlow::loop_pass, 1);
  const std::uint64_t first = position.value();
  position.change(ControlFlow::loop_pass, 2);
  const std::uint64_t inner = position.value();
  position.change(ControlFlow::loop_end, 2);
  CHECK(position.value() == first);
  position.change(ControlFlow::loop_pass, 1);
  const std::uint64_t second = position.value();
  position.change(ControlFlow::loop_pass, 2);
  CHECK(position.value() != inner);
  position.change(ControlFlow::loop_end, 2);
  position.change(ControlFlow::loop_end, 1);
  CHECK(position.value() == before);
  CHECK(first != before);
  CHECK(first != second);
}

TEST_CASE("the end of a loop without a pass changes nothing") {
  LanePosition position;
  position.change(ControlFlow::loop_pass, 1);
  const std::uint64_t first = position.value();
  position.change(ControlFlow::loop_end, 2);
  CHECK(position.value() == first);
}

TEST_CASE("a call has the position of its line, and ends all loops within it") {
  LanePosition position;
  position.statement(7);
  position.change(ControlFlow::function_begin, 0);
  const std::uint64_t of_line_7 = position.value();
  position.statement(3);
  position.change(ControlFlow::loop_pass, 1);
  position.change(ControlFlow::function_end, 0);
  CHECK(position.value() == 0);
  position.change(ControlFlow::function_begin, 0);
  CHECK(position.value() == of_line_7);
  position.change(ControlFlow::function_end, 0);
  position.statement(8);
  position.change(ControlFlow::function_begin, 0);
  CHECK(position.value() != of_line_7);
}

}  // namespace warpfiber::profile
