// SPDX-License-Identifier: Apache-2.0
// Collectives of groups that are larger than a warp and at most a block. Each group has a rendezvous of its own, so
// that groups of one block do not wait for each other: neighbours by their place and number, other sets of threads by
// their members. Calls that all threads of a group make without waiting are compared as they come.
// Invariants: a gather is open while `arrived` is not 0; `expected` is exact whenever a thread that has already waited
// once is running, since whoever returns is counted before another thread of its block goes on.
#include <algorithm>
#include <bit>
#include <iterator>
#include <mutex>
#include <utility>

#include "engine/findings/groups.hpp"
#include "engine/worker.hpp"

namespace warpfiber::engine {

using detail::Fiber;
using detail::GroupCollective;
using detail::GroupPart;
using detail::Switch;

namespace {

AlikeSequence sequence_of(detail::AlikeCall call) {
  if (call == detail::AlikeCall::cut) return AlikeSequence::cuts;
  return call == detail::AlikeCall::update ? AlikeSequence::updates : AlikeSequence::copies;
}

/// The calls of groups of this kind in the present block.
AlikeCalls& alike_calls(ResidentBlock& block, AlikeSequence sequence, unsigned tile) {
  const auto is_it = [&](const AlikeCalls& calls) { return calls.sequence == sequence && calls.tile == tile; };
  auto found = std::find_if(block.alike.begin(), block.alike.end(), is_it);
  if (found == block.alike.end()) found = block.alike.insert(found, AlikeCalls{sequence, tile});
  if (found->serial != block.serial) {
    const unsigned groups = tile == 0 ? 1 : (block.threads + tile - 1) / tile;
    found->serial = block.serial;
    found->made.assign(block.threads, 0);
    found->latest.assign(std::size_t{groups} * AlikeMade::kKept, {});
  }
  return *found;
}

/// The calls of groups that are these lanes of the warp, of the present block.
AlikeLanes& alike_lanes(ResidentBlock& block, AlikeSequence sequence, unsigned warp, base::LaneMask lanes) {
  if (block.alike_lanes_serial != block.serial) {
    block.alike_lanes_serial = block.serial;
    block.alike_lanes.clear();
  }
  for (AlikeLanes& calls : block.alike_lanes) {
    if (calls.sequence == sequence && calls.warp == warp && calls.lanes == lanes) return calls;
  }
  return block.alike_lanes.emplace_back(AlikeLanes{sequence, warp, lanes});
}

/// Forgets the calls if all lanes that are left have made equally many: the next ones are numbered from 1 by all.
void close_if_equal(ResidentBlock& block, AlikeLanes& calls) {
  if (!block.engaged) return;  // nobody has waited, so not all can have called
  const base::LaneMask left = calls.lanes & block.warp_storage[calls.warp].live;
  if (left == 0) return;
  const std::uint64_t number = calls.made[base::lane_mask::lowest(left)];
  bool equal = true;
  base::lane_mask::for_each(left, [&](unsigned lane) { equal = equal && calls.made[lane] == number; });
  if (!equal) return;
  calls = block.alike_lanes.back();
  block.alike_lanes.pop_back();
}

/// Cuts at two places are two calls: one that only a part of the threads makes is harmless.
bool is_alike(const detail::AlikeNote& a, const detail::AlikeNote& b) {
  if (a.call == detail::AlikeCall::cut) return a.count == b.count || !(a.site == b.site);
  return a.call == b.call && a.to == b.to && a.from == b.from && a.count == b.count;
}

}  // namespace

void note_tile(ResidentBlock& block, unsigned size, Site site) {
  detail::TilesMade& made = block.tiles_made[size];
  std::vector<TilePlace>& places = block.tile_places[size];
  if (!made.elsewhere) {
    made.elsewhere = true;
    places.assign(block.threads, {});
    for (unsigned rank = 0; rank < block.threads; ++rank) {
      if ((made.threads[rank / 64] >> rank % 64 & 1) != 0) places[rank].site = made.site;
    }
  }
  TilePlace& mine = places[detail::thread_rank()];
  mine.elsewhere = mine.elsewhere || (mine.site.line != 0 && !(mine.site == site));
  mine.site = site;
}

TilePlace place_of_tile(const ResidentBlock& block, unsigned size, unsigned rank) {
  const detail::TilesMade& made = block.tiles_made[size];
  if (made.serial != block.serial) return {};
  if (made.elsewhere) return block.tile_places[size][rank];
  return (made.threads[rank / 64] >> rank % 64 & 1) != 0 ? TilePlace{made.site, false} : TilePlace{};
}

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
      gather.arrived = 0;
      gather.waiting.clear();
      close(gather);
    }
  }
}

/// Of the members of `group`, those that have not returned.
unsigned Worker::count_live(const ResidentBlock& block, const GroupGather& group) const {
  const unsigned lanes = grid_->request.warp_size;
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

unsigned Worker::count_live(const ResidentBlock& block, const SetGather& group) const {
  const unsigned lanes = grid_->request.warp_size;
  unsigned live = 0;
  group.members.each([&](unsigned thread) {
    live += base::lane_mask::has(block.warp_storage[thread / lanes].live, thread % lanes) ? 1U : 0U;
  });
  return live;
}

GroupGather& Worker::group_gather(ResidentBlock& block, unsigned first, unsigned size) {
  if (block.groups == nullptr) block.groups = std::make_unique<GroupGather[]>(kGroupGathers);
  GroupGather& gather = block.groups[group_place(first, size)];
  if (gather.arrived == 0) {
    gather.first = first;
    gather.size = size;
  }
  return gather;
}

Switch Worker::arrive_at_group(unsigned first, unsigned size, const GroupCollective& collective, GroupPart* part) {
  Fiber* self = begin_wait();
  ResidentBlock& block = this->block();
  const unsigned lanes = grid_->request.warp_size;
  if (first + size > (block.threads + lanes - 1) / lanes * lanes) {
    fail_here(misused(*this, part->site, collective.name,
                      size > block.threads
                          ? "The group is a tile larger than its block. The device waits for warps that do not exist."
                          : "The group is the last tile of the block, which has too few threads to fill it. The device "
                            "waits for warps that do not exist.",
                      "use a block size that is a multiple of the tile size"));
  }
  if (part->whole_block) note_between(block, detail::SplitBarrier::block, part->site);
  return arrive_at(group_gather(block, first, size), self, collective, part);
}

Switch Worker::arrive_at_set(const detail::ThreadSet& members, const GroupCollective& collective, GroupPart* part) {
  Fiber* self = begin_wait();
  if (!members.has(self->warp->index * grid_->request.warp_size + self->lane)) {
    fail_here(misused(*this, part->site, collective.name,
                      "The thread is not a member of the group, so no member waits for this call.",
                      "use the group that the partition returned to this thread"));
  }
  ResidentBlock& block = this->block();
  if (block.sets == nullptr) block.sets = std::make_unique<SetGathers>();
  SetGather& gather = block.sets->open(members);
  gather.size = members.count();
  return arrive_at(gather, self, collective, part);
}

template <class Gather>
Switch Worker::arrive_at(Gather& gather, Fiber* self, const GroupCollective& collective, GroupPart* part) {
  ResidentBlock& block = this->block();
  if (gather.arrived == 0) {
    gather.collective = &collective;
    gather.expected = count_live(block, gather);
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
  if (watch_ != nullptr) watch_group(block, gather);
  {
    const check::Unwatched unwatched;
    gather.collective->complete(detail::GroupMeeting{parts_, gather.size});
  }
  make_ready(block, gather.waiting);
}

void Worker::complete(ResidentBlock& block, SetGather& gather) {
  complete(block, static_cast<GroupGather&>(gather));
  block.sets->close(gather);
}

/// A thread of `block` has returned: what its groups wait for may now be complete.
void Worker::recheck_groups(ResidentBlock& block) {
  each_open_group(block, [&](auto& gather) {
    gather.expected = count_live(block, gather);
    if (gather.arrived == gather.expected) complete(block, gather);
  });
}

void Worker::compare_alike(std::uint64_t number, AlikeMade& first, const detail::AlikeNote& note) {
  if (first.number < number) {
    first = {number, detail::thread_rank(), note};
  } else if (first.number == number && !is_alike(first.note, note)) {
    fail_here(unequal_notes(*this, first, note));
  }
}

void Worker::note_alike(const detail::AlikeGroup& group, const detail::AlikeNote& note) {
  detail::current_thread.busy = true;
  ResidentBlock& block = this->block();
  const AlikeSequence sequence = sequence_of(note.call);
  const unsigned thread = detail::thread_rank();
  if (group.lanes != 0) {
    const unsigned warp = thread / grid_->request.warp_size;
    const unsigned lane = thread % grid_->request.warp_size;
    AlikeLanes& calls = alike_lanes(block, sequence, warp, group.lanes);
    const std::uint64_t number = ++calls.made[lane];
    compare_alike(number, calls.latest[number % AlikeMade::kKept], note);
    close_if_equal(block, calls);
  } else {
    if (group.tile == 0) note_between(block, detail::SplitBarrier::block, note.site);
    AlikeCalls& calls = alike_calls(block, sequence, group.tile);
    const std::uint64_t number = ++calls.made[thread];
    const std::size_t place = group.tile == 0 ? 0 : thread / group.tile;
    compare_alike(number, calls.latest[place * AlikeMade::kKept + number % AlikeMade::kKept], note);
  }
  detail::current_thread.busy = false;
}

detail::WideMeeting* Worker::make_wide_meetings(std::size_t count) {
  detail::current_thread.busy = true;
  const std::lock_guard lock(grid_->mutex);
  auto& made = grid_->wide_meetings.emplace_back(std::make_unique<detail::WideMeeting[]>(count));
  detail::current_thread.busy = false;
  return made.get();
}

}  // namespace warpfiber::engine
