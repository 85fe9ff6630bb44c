// SPDX-License-Identifier: Apache-2.0
// The table of a block's open rendezvous, and whose turn it is after many of them, without a launch.
#include "engine/state/rendezvous_table.hpp"

#include <memory>
#include <span>
#include <vector>

#include "engine/state/release_count.hpp"
#include "support/catch.hpp"

using namespace warpfiber;
using namespace warpfiber::engine;
using machine::RendezvousKind;

namespace {

std::vector<RendezvousKind> open_barriers(ResidentBlock& block) {
  std::vector<RendezvousKind> kinds;
  each_barrier(block, [&](const auto& at) {
    if (!at.waiting().empty()) kinds.push_back(at.kind());
  });
  return kinds;
}

/// Kinds of what is complete, in the order in which a thread's return is noticed.
std::vector<RendezvousKind> complete_ones(ResidentBlock& block, std::span<ResidentWarp> warps) {
  std::vector<RendezvousKind> kinds;
  each_rendezvous(block, warps, [&]<class Place>(const Place& at) {
    if constexpr (machine::has_phase(Place::kKind)) {
      if (is_complete(at)) kinds.push_back(Place::kKind);
    }
  });
  return kinds;
}

/// A block of two warps of 32 threads.
std::unique_ptr<ResidentBlock> two_warps() {
  auto block = std::make_unique<ResidentBlock>();
  block->threads = block->live = 64;
  block->warp_storage = std::vector<ResidentWarp>(2);
  for (ResidentWarp& warp : block->warp_storage) warp.live = 0xffffffff;
  return block;
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
  each_open_group(*block, [&](const auto& at) {
    ++visited;
    CHECK(at.group.first == 3);
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

TEST_CASE("nothing is complete where nobody has come") {
  const auto block = two_warps();
  block->live = 0;
  for (ResidentWarp& warp : block->warp_storage) warp.live = 0;
  CHECK(complete_ones(*block, block->warp_storage).empty());
}

TEST_CASE("each kind is complete when those who have not returned have come") {
  const auto block = two_warps();
  detail::PendingCollective& pending = block->warp_storage[1].pending;
  pending.mask = 0xff;
  pending.arrived = 0x7f;
  block->barrier.arrived = block->grid_barrier.arrived = block->alone.arrived = 63;
  CHECK(complete_ones(*block, block->warp_storage).empty());
  block->live = 63;
  CHECK(complete_ones(*block, {}) ==
        std::vector{RendezvousKind::block_barrier, RendezvousKind::grid_barrier, RendezvousKind::cluster_barrier});
  block->barrier.arrived = block->grid_barrier.arrived = block->alone.arrived = 0;
  block->warp_storage[1].live = 0xffffff7f;
  CHECK(complete_ones(*block, block->warp_storage) == std::vector{RendezvousKind::lanes});
  CHECK(complete_ones(*block, {&block->warp_storage[0], 1}).empty());
}

TEST_CASE("a group is complete when its members are counted again") {
  const auto block = two_warps();
  block->groups = std::make_unique<GroupRendezvous[]>(kGroupPlaces);
  block->open_groups = 1;
  GroupRendezvous& group = block->groups[group_place(0, 64)];
  group.size = 64;
  group.rendezvous.start(64);
  group.rendezvous.arrive(60);
  block->warp_storage[0].live = 0xfffffff0;
  CHECK(complete_ones(*block, {}).empty());
  AtGroup<GroupRendezvous>{*block, group}.recount(32);
  CHECK(complete_ones(*block, {}) == std::vector{RendezvousKind::group});
}

TEST_CASE("threads of a cluster of several blocks are counted together") {
  const auto block = two_warps();
  Cluster cluster;
  cluster.barrier.start(128);
  cluster.barrier.arrive(100);
  block->cluster = &cluster;
  block->live = 0;
  CHECK(complete_ones(*block, {}).empty());
  cluster.barrier.leave(28);
  CHECK(complete_ones(*block, {}) == std::vector{RendezvousKind::cluster_barrier});
}

TEST_CASE("a block's part in the grid's barrier needs its first thread") {
  const auto block = two_warps();
  block->live = 2;
  block->grid_barrier.arrived = 2;
  CHECK(is_complete(AtGridBarrier{*block}));
  block->first_exited = true;
  CHECK_FALSE(is_complete(AtGridBarrier{*block}));
  block->live = 1;
  CHECK_FALSE(is_complete(AtGridBarrier{*block}));
}

TEST_CASE("threads of a group that have not returned are counted across warps") {
  const auto block = two_warps();
  block->threads = 50;
  block->warp_storage[1].live = 0x3ffff;
  GroupRendezvous group;
  group.first = 20;
  group.size = 30;
  CHECK(count_live(*block, group, 32) == 30);
  group.size = 44;  // the last of them the block does not have
  CHECK(count_live(*block, group, 32) == 30);
  block->warp_storage[0].live = 0xf;
  CHECK(count_live(*block, group, 32) == 18);
  SetRendezvous set;
  for (const unsigned thread : {0U, 31U, 32U, 49U}) set.members.add(thread);
  CHECK(count_live(*block, set, 32) == 3);
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
