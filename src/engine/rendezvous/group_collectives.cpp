// SPDX-License-Identifier: Apache-2.0
// Finds the rendezvous of a group, and answers when all are there that have not returned.
#include "engine/rendezvous/group_collectives.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "engine/observing/observing.hpp"
#include "engine/state/rendezvous_table.hpp"

namespace warpfiber::engine {

using detail::GroupCollective;
using detail::GroupPart;

namespace {

/// Some thread has come to a rendezvous of `live` threads that have not returned.
void open_for(ResidentBlock& block, GroupRendezvous& group, unsigned live, const GroupCollective& collective) {
  group.collective = &collective;
  group.rendezvous.members = live;
  group.parts = nullptr;
  ++block.open_groups;
}

}  // namespace

SetRendezvous& GroupCollectives::rendezvous_of(ResidentBlock& block, const detail::ThreadSet& members) {
  if (block.sets == nullptr) block.sets = std::make_unique<OpenSets>();
  SetRendezvous& group = block.sets->open(members);
  group.size = members.count();
  return group;
}

void GroupCollectives::open(ResidentBlock& block, GroupRendezvous& group, const GroupCollective& collective) {
  open_for(block, group, count_live(block, group, worker_.grid().request.warp_size), collective);
}

void GroupCollectives::open(ResidentBlock& block, SetRendezvous& group, const GroupCollective& collective) {
  open_for(block, group, count_live(block, group, worker_.grid().request.warp_size), collective);
}

void GroupCollectives::complete(ResidentBlock& block, GroupRendezvous& group) {
  std::fill_n(parts_, group.size, nullptr);
  for (GroupPart* part = group.parts; part != nullptr; part = part->next) parts_[part->rank] = part;
  group.rendezvous.complete();
  --block.open_groups;
  ++detail::current_thread.progress;
  record::Observer* const observer = worker_.observer;
  if (observer != nullptr) report_group_release(*observer, block, group, worker_.grid().request.warp_size);
  {
    const record::ScopedPause pause(observer);
    group.collective->complete(detail::GroupMeeting{parts_, group.size});
  }
  choosing_.make_ready(block, group.waiting);
}

void GroupCollectives::complete(ResidentBlock& block, SetRendezvous& group) {
  complete(block, static_cast<GroupRendezvous&>(group));
  block.sets->close(group);
}

void GroupCollectives::recheck(ResidentBlock& block) {
  each_open_group(block, [&](auto at) {
    at.recount(worker_.grid().request.warp_size);
    if (is_complete(at)) complete(block, at.group);
  });
}

}  // namespace warpfiber::engine
