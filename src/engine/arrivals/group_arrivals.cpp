// SPDX-License-Identifier: Apache-2.0
// Each kind of group has a rendezvous of its own; which of them it is decides GroupCollectives::rendezvous_of().
#include "engine/arrivals/group_arrivals.hpp"

#include "engine/findings/groups.hpp"
#include "engine/rendezvous/open_arrivals.hpp"

namespace warpfiber::engine {

using detail::Fiber;
using detail::GroupCollective;
using detail::GroupPart;
using detail::Switch;

Switch GroupArrivals::arrive(unsigned first, unsigned size, const GroupCollective& collective, GroupPart* part) {
  Fiber* self = waits_.begin();
  ResidentBlock& block = worker_.block();
  const unsigned lanes = worker_.grid().request.warp_size;
  if (first + size > (block.threads + lanes - 1) / lanes * lanes) {
    choosing_.fail_here(misused(
        worker_, part->site, collective.name,
        size > block.threads ? record::Mistake::tile_larger_than_block : record::Mistake::last_tile_incomplete));
  }
  if (part->whole_block) note_between(block, detail::SplitBarrier::block, part->site);
  return arrive_at(GroupCollectives::rendezvous_of(block, first, size), self, collective, part);
}

Switch GroupArrivals::arrive(const detail::ThreadSet& members, const GroupCollective& collective, GroupPart* part) {
  Fiber* self = waits_.begin();
  if (!members.has(rank_in_block(*self, worker_.grid().request.warp_size))) {
    choosing_.fail_here(misused(worker_, part->site, collective.name, record::Mistake::partition_of_others));
  }
  return arrive_at(GroupCollectives::rendezvous_of(worker_.block(), members), self, collective, part);
}

template <class Group>
Switch GroupArrivals::arrive_at(Group& group, Fiber* self, const GroupCollective& collective, GroupPart* part) {
  ResidentBlock& block = worker_.block();
  if (!group.rendezvous.is_open()) {
    groups_.open(block, group, collective);
  } else if (group.collective != &collective) {
    choosing_.fail_here(unequal_group_calls(worker_, group, collective.name, part->site));
  }
  part->fiber = self;
  part->next = group.parts;
  group.parts = part;
  if (group.rendezvous.arrive()) {
    groups_.complete(block, group);
    return waits_.go_on(self);
  }
  group.waiting.append(self);
  return choosing_.suspend(self);
}

}  // namespace warpfiber::engine
