// SPDX-License-Identifier: Apache-2.0
// Finds the rendezvous of a group, counts who comes there, and answers when all are there that have not returned.
#include "engine/groups/group_collectives.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "engine/findings/groups.hpp"
#include "engine/rendezvous_table.hpp"
#include "engine/worker.hpp"

namespace warpfiber::engine {

using detail::Fiber;
using detail::GroupCollective;
using detail::GroupPart;
using detail::Switch;

namespace {

/// Of the members of `group`, those that have not returned.
unsigned count_live(const ResidentBlock& block, const GroupGather& group, unsigned lanes) {
  const unsigned last = std::min(group.first + group.size, block.threads);
  unsigned live = 0;
  for (unsigned at = group.first; at < last;) {
    const detail::Warp& warp = block.warp_storage[at / lanes];
    const unsigned from = at % lanes;
    const unsigned count = std::min(lanes - from, last - at);
    live += base::lane_mask::count(warp.live >> from & base::lane_mask::full(count));
    at += count;
  }
  return live;
}

unsigned count_live(const ResidentBlock& block, const SetGather& group, unsigned lanes) {
  unsigned live = 0;
  group.members.each([&](unsigned thread) {
    live += base::lane_mask::has(block.warp_storage[thread / lanes].live, thread % lanes) ? 1U : 0U;
  });
  return live;
}

GroupGather& group_gather(ResidentBlock& block, unsigned first, unsigned size) {
  if (block.groups == nullptr) block.groups = std::make_unique<GroupGather[]>(kGroupGathers);
  GroupGather& gather = block.groups[group_place(first, size)];
  if (!gather.rendezvous.is_open()) {
    gather.first = first;
    gather.size = size;
  }
  return gather;
}

}  // namespace

/// The open rendezvous of `members`; if there is none, a new one, which the caller opens.
SetGather& SetGathers::open(const detail::ThreadSet& members) {
  unsigned first = 0;
  while (!members.has(first)) ++first;
  SetGather*& row = rows[row_of(first)];
  for (SetGather* open = row; open != nullptr; open = open->next) {
    if (open->first == first && open->members == members) return *open;
  }
  if (unused == nullptr) unused = storage.emplace_back(std::make_unique<SetGather>()).get();
  SetGather& fresh = *std::exchange(unused, unused->next);
  fresh.first = first;
  fresh.members = members;
  fresh.next = std::exchange(row, &fresh);
  return fresh;
}

void SetGathers::close(SetGather& gather) {
  SetGather** link = &rows[row_of(gather.first)];
  while (*link != &gather) link = &(*link)->next;
  *link = gather.next;
  gather.next = std::exchange(unused, &gather);
}

void SetGathers::close_all() {
  for (SetGather* row : rows) {
    while (row != nullptr) {
      SetGather& gather = *std::exchange(row, row->next);
      gather.rendezvous.arrived = 0;
      gather.waiting.clear();
      close(gather);
    }
  }
}

Switch GroupCollectives::arrive(unsigned first, unsigned size, const GroupCollective& collective, GroupPart* part) {
  Fiber* self = worker_.begin_wait();
  ResidentBlock& block = worker_.block();
  const unsigned lanes = worker_.grid().request.warp_size;
  if (first + size > (block.threads + lanes - 1) / lanes * lanes) {
    worker_.fail_here(misused(
        worker_, part->site, collective.name,
        size > block.threads ? record::Mistake::tile_larger_than_block : record::Mistake::last_tile_incomplete));
  }
  if (part->whole_block) worker_.note_between(block, detail::SplitBarrier::block, part->site);
  return arrive_at(group_gather(block, first, size), self, collective, part);
}

Switch GroupCollectives::arrive(const detail::ThreadSet& members, const GroupCollective& collective, GroupPart* part) {
  Fiber* self = worker_.begin_wait();
  if (!members.has(rank_in_block(*self, worker_.grid().request.warp_size))) {
    worker_.fail_here(misused(worker_, part->site, collective.name, record::Mistake::partition_of_others));
  }
  ResidentBlock& block = worker_.block();
  if (block.sets == nullptr) block.sets = std::make_unique<SetGathers>();
  SetGather& gather = block.sets->open(members);
  gather.size = members.count();
  return arrive_at(gather, self, collective, part);
}

template <class Gather>
Switch GroupCollectives::arrive_at(Gather& gather, Fiber* self, const GroupCollective& collective, GroupPart* part) {
  ResidentBlock& block = worker_.block();
  if (!gather.rendezvous.is_open()) {
    gather.collective = &collective;
    gather.rendezvous.members = count_live(block, gather, worker_.grid().request.warp_size);
    gather.parts = nullptr;
    ++block.open_groups;
  } else if (gather.collective != &collective) {
    worker_.fail_here(unequal_group_calls(worker_, gather, collective.name, part->site));
  }
  part->fiber = self;
  part->next = gather.parts;
  gather.parts = part;
  if (gather.rendezvous.arrive()) {
    complete(block, gather);
    return worker_.go_on(self);
  }
  gather.waiting.append(self);
  return worker_.suspend(self);
}

void GroupCollectives::complete(ResidentBlock& block, GroupGather& gather) {
  std::fill_n(parts_, gather.size, nullptr);
  for (GroupPart* part = gather.parts; part != nullptr; part = part->next) parts_[part->rank] = part;
  gather.rendezvous.complete();
  --block.open_groups;
  ++detail::current_thread.progress;
  record::Observer* const observer = worker_.observer();
  if (observer != nullptr) report_group_release(*observer, block, gather, worker_.grid().request.warp_size);
  {
    const record::ScopedPause pause(observer);
    gather.collective->complete(detail::GroupMeeting{parts_, gather.size});
  }
  worker_.make_ready(block, gather.waiting);
}

void GroupCollectives::complete(ResidentBlock& block, SetGather& gather) {
  complete(block, static_cast<GroupGather&>(gather));
  block.sets->close(gather);
}

void GroupCollectives::recheck(ResidentBlock& block) {
  each_open_group(block, [&](auto& gather) {
    gather.rendezvous.members = count_live(block, gather, worker_.grid().request.warp_size);
    if (gather.rendezvous.is_complete()) complete(block, gather);
  });
}

}  // namespace warpfiber::engine
