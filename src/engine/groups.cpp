// SPDX-License-Identifier: Apache-2.0
// Collectives of groups that are larger than a warp and at most a block. Each group has a rendezvous of its own, so
// that groups of one block do not wait for each other.
// Invariants: a gather is open while `arrived` is not 0; `expected` is exact whenever a thread that has already waited
// once is running, since whoever returns is counted before another thread of its block goes on.
#include <bit>
#include <iterator>

#include "engine/findings/groups.hpp"
#include "engine/worker.hpp"

namespace warpfiber::engine {

using detail::Fiber;
using detail::GroupCollective;
using detail::GroupPart;
using detail::Switch;

/// Of the threads first … first+size-1 of `block`, those that have not returned.
unsigned Worker::count_live(const ResidentBlock& block, unsigned first, unsigned size) const {
  const unsigned lanes = grid_->request.warp_size;
  const unsigned last = std::min(first + size, block.threads);
  unsigned live = 0;
  for (unsigned at = first; at < last;) {
    const detail::Warp& warp = block.warp_storage[at / lanes];
    const unsigned from = at % lanes;
    const unsigned count = std::min(lanes - from, last - at);
    live += base::lane_mask::count(warp.live >> from & base::lane_mask::full(count));
    at += count;
  }
  return live;
}

GroupGather& Worker::group_gather(ResidentBlock& block, unsigned first, unsigned size) {
  if (block.groups == nullptr) block.groups = std::make_unique<GroupGather[]>(kGroupGathers);
  return block.groups[group_place(first, size)];
}

Switch Worker::arrive_at_group(unsigned first, unsigned size, const GroupCollective& collective, GroupPart* part) {
  Fiber* self = begin_wait();
  ResidentBlock& block = this->block();
  GroupGather& gather = group_gather(block, first, size);
  if (gather.arrived == 0) {
    gather.first = first;
    gather.size = size;
    gather.collective = &collective;
    gather.expected = count_live(block, first, size);
    gather.parts = nullptr;
    ++block.open_groups;
  } else if (gather.collective != &collective) {
    fail_here(unequal_group_calls(*this, gather, collective.name, part->site));
  }
  part->fiber = self;
  part->next = gather.parts;
  gather.parts = part;
  if (++gather.arrived == gather.expected) {
    complete(block, gather);
    return go_on(self);
  }
  gather.waiting.append(self);
  return suspend(self);
}

void Worker::complete(ResidentBlock& block, GroupGather& gather) {
  std::fill_n(parts_, gather.size, nullptr);
  for (GroupPart* part = gather.parts; part != nullptr; part = part->next) parts_[part->rank] = part;
  gather.arrived = 0;
  --block.open_groups;
  ++detail::current_thread.progress;
  gather.collective->complete(detail::GroupMeeting{parts_, gather.size});
  make_ready(block, gather.waiting);
}

/// A thread of `block` has returned: what its groups wait for may now be complete.
void Worker::recheck_groups(ResidentBlock& block) {
  for (unsigned i = 0; i < kGroupGathers; ++i) {
    GroupGather& gather = block.groups[i];
    if (gather.arrived == 0) continue;
    gather.expected = count_live(block, gather.first, gather.size);
    if (gather.arrived == gather.expected) complete(block, gather);
  }
}

}  // namespace warpfiber::engine
