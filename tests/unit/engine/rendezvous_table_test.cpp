// SPDX-License-Identifier: Apache-2.0
// The table of a block's open rendezvous, and whose turn it is after many of them, without a launch.
#include "engine/state/rendezvous_table.hpp"

#include <memory>
#include <vector>

#include "engine/state/release_count.hpp"
#include "support/catch.hpp"

using namespace warpfiber;
using namespace warpfiber::engine;
using machine::RendezvousKind;

namespace {

std::vector<RendezvousKind> open_barriers(const ResidentBlock& block) {
  std::vector<RendezvousKind> kinds;
  each_open_barrier(block, [&](const OpenBarrier& open) { kinds.push_back(open.kind); });
  return kinds;
}

}  // namespace

TEST_CASE("the table lists the barriers that threads wait at") {
  const auto block = std::make_unique<ResidentBlock>();
  detail::Fiber fibers[4];
  CHECK(open_barriers(*block).empty());
  block->barrier.waiting.append(&fibers[0]);
  CHECK(open_barriers(*block) == std::vector{RendezvousKind::block_barrier});
  block->cluster_barrier.waiting.append(&fibers[1]);
  block->split_waits.waiting.append(&fibers[2]);
  block->grid_barrier.waiting.append(&fibers[3]);
  CHECK(open_barriers(*block) == std::vector{RendezvousKind::block_barrier, RendezvousKind::grid_barrier,
                                             RendezvousKind::cluster_barrier, RendezvousKind::split_barrier});
  block->multi_grid = true;
  CHECK(open_barriers(*block)[1] == RendezvousKind::multi_grid_barrier);
}

TEST_CASE("groups are in the table from the first arrival to the last") {
  const auto block = std::make_unique<ResidentBlock>();
  block->sets = std::make_unique<OpenSets>();
  detail::ThreadSet members;
  members.add(3);
  members.add(70);
  SetRendezvous& set = block->sets->open(members);
  CHECK(&block->sets->open(members) == &set);
  unsigned visited = 0;
  each_open_group(*block, [&](const auto&) { ++visited; });
  CHECK(visited == 0);
  block->open_groups = 1;
  each_open_group(*block, [&](const auto& group) {
    ++visited;
    CHECK(group.first == 3);
  });
  CHECK(visited == 1);
  block->sets->close(set);
  each_open_group(*block, [&](const auto&) { ++visited; });
  CHECK(visited == 1);
}

TEST_CASE("a thread's return is noticed where others of its block may wait for it") {
  const auto block = std::make_unique<ResidentBlock>();
  const auto warp = std::make_unique<ResidentWarp>();
  const auto other = std::make_unique<ResidentWarp>();
  CHECK_FALSE(any_open_for(*block, *warp));
  warp->pending.arrived = 1;
  CHECK(any_open_for(*block, *warp));
  CHECK_FALSE(any_open_for(*block, *other));
  for (unsigned* arrived : {&block->barrier.arrived, &block->grid_barrier.arrived, &block->alone.arrived}) {
    *arrived = 1;
    CHECK(any_open_for(*block, *other));
    *arrived = 0;
  }
}

TEST_CASE("a block's part in the grid's barrier needs its first thread") {
  const auto block = std::make_unique<ResidentBlock>();
  block->live = 2;
  block->grid_barrier.arrived = 2;
  CHECK(is_complete(*block, block->grid_barrier));
  block->first_exited = true;
  CHECK_FALSE(is_complete(*block, block->grid_barrier));
}

TEST_CASE("now and then it is the turn of others than those who have just met") {
  ReleaseCount releases;
  releases.begin();
  unsigned in_a_row = 0;
  unsigned turns = 0;
  for (unsigned i = 1; i <= 8192; ++i) {
    const bool expected = releases.next_in_a_row();
    releases.note();
    CHECK(releases.in_a_row() == expected);
    in_a_row = releases.in_a_row() ? in_a_row + 1 : 0;
    REQUIRE(in_a_row < 256);
    turns += releases.take_turn() ? 1 : 0;
  }
  CHECK(turns == 2);
}

TEST_CASE("what a convoy completes without counting counts when it ends") {
  for (unsigned completed = 0; completed < 255; ++completed) {
    ReleaseCount convoy;
    convoy.begin();
    convoy.note();
    const unsigned rounds = convoy.rounds_left();
    if (completed > rounds) break;
    convoy.catch_up(rounds - completed);
    CHECK(convoy.rounds_left() == rounds - completed);
  }
}
