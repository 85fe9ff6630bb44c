// SPDX-License-Identifier: Apache-2.0
// Finds the rendezvous of a group; the first thread to come opens it.
#include "engine/arrivals/group_arrivals.hpp"

#include <memory>

#include "engine/findings/groups.hpp"
#include "engine/rendezvous/releasing.hpp"
#include "record/diagnosis.hpp"
#include "record/mistake.hpp"

namespace warpfiber::engine {

using detail::Fiber;
using detail::GroupCollective;
using detail::GroupPart;
using detail::Switch;

namespace {

/// The rendezvous of threads `first` … `first + size - 1` of `block`, open or to be opened.
GroupRendezvous& rendezvous_of(ResidentBlock& block, unsigned first, unsigned size) {
  if (block.groups == nullptr) block.groups = std::make_unique<GroupRendezvous[]>(kGroupPlaces);
  GroupRendezvous& group = block.groups[group_place(first, size)];
  if (!group.rendezvous.is_open()) {
    group.first = first;
    group.size = size;
  }
  return group;
}

/// The same of any set of threads, which is in the table from now on.
SetRendezvous& rendezvous_of(ResidentBlock& block, const detail::ThreadSet& members) {
  if (block.sets == nullptr) block.sets = std::make_unique<OpenSets>();
  SetRendezvous& group = block.sets->open(members);
  group.size = members.count();
  return group;
}

}  // namespace

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
  return arrive_at(rendezvous_of(block, first, size), self, collective, part);
}

Switch GroupArrivals::arrive(const detail::ThreadSet& members, const GroupCollective& collective, GroupPart* part) {
  Fiber* self = waits_.begin();
  if (!members.has(rank_in_block(*self, worker_.grid().request.warp_size))) {
    choosing_.fail_here(misused(worker_, part->site, collective.name, record::Mistake::partition_of_others));
  }
  return arrive_at(rendezvous_of(worker_.block(), members), self, collective, part);
}

template <class Group>
Switch GroupArrivals::arrive_at(Group& group, Fiber* self, const GroupCollective& collective, GroupPart* part) {
  const AtGroup<Group> at{worker_.block(), group};
  if (!group.rendezvous.is_open()) {
    at.recount(worker_.grid().request.warp_size);
    group.collective = &collective;
    group.parts = nullptr;
    ++at.block.open_groups;
  } else if (group.collective != &collective) {
    choosing_.fail_here(unequal_group_calls(worker_, group, collective.name, part->site));
  }
  part->fiber = self;
  part->next = group.parts;
  group.parts = part;
  if (group.rendezvous.arrive()) {
    releasing_.release(at);
    return waits_.go_on(self);
  }
  group.waiting.append(self);
  return choosing_.suspend(self);
}

}  // namespace warpfiber::engine
