// SPDX-License-Identifier: Apache-2.0
// Calls that all threads of a group make without waiting, which must be the same in all of them: copies, updates and
// partitions. They are compared as they come, by their number among the thread's calls of the kind.
#include "engine/arrivals/group_arrivals.hpp"

#include <algorithm>

#include "engine/findings/groups.hpp"
#include "engine/rendezvous/releasing.hpp"

namespace warpfiber::engine {
namespace {

UniformSequence sequence_of(detail::UniformCall call) {
  if (call == detail::UniformCall::cut) return UniformSequence::cuts;
  return call == detail::UniformCall::update ? UniformSequence::updates : UniformSequence::copies;
}

/// The calls of groups of this kind in the present block.
UniformCalls& calls_of_group(ResidentBlock& block, UniformSequence sequence, unsigned tile) {
  const auto is_it = [&](const UniformCalls& calls) { return calls.sequence == sequence && calls.tile == tile; };
  auto found = std::find_if(block.uniform_calls.begin(), block.uniform_calls.end(), is_it);
  if (found == block.uniform_calls.end()) found = block.uniform_calls.insert(found, UniformCalls{sequence, tile});
  if (found->serial != block.serial) {
    const unsigned groups = tile == 0 ? 1 : (block.threads + tile - 1) / tile;
    found->serial = block.serial;
    found->made.assign(block.threads, 0);
    found->latest.assign(std::size_t{groups} * UniformCallMade::kKept, {});
  }
  return *found;
}

/// The calls of groups that are these lanes of the warp, of the present block.
UniformLaneCalls& calls_of_lanes(ResidentBlock& block, UniformSequence sequence, unsigned warp, base::LaneMask lanes) {
  if (block.uniform_lane_calls_serial != block.serial) {
    block.uniform_lane_calls_serial = block.serial;
    block.uniform_lane_calls.clear();
  }
  for (UniformLaneCalls& calls : block.uniform_lane_calls) {
    if (calls.sequence == sequence && calls.warp == warp && calls.lanes == lanes) return calls;
  }
  return block.uniform_lane_calls.emplace_back(UniformLaneCalls{sequence, warp, lanes});
}

/// Forgets the calls if all lanes that are left have made equally many: the next ones are numbered from 1 by all.
void close_if_equal(ResidentBlock& block, UniformLaneCalls& calls) {
  if (!block.engaged) return;  // no thread has waited, so not all can have called
  const base::LaneMask left = calls.lanes & block.warp_storage[calls.warp].live;
  if (left == 0) return;
  const std::uint64_t number = calls.made[base::lane_mask::lowest(left)];
  bool equal = true;
  base::lane_mask::for_each(left, [&](unsigned lane) { equal = equal && calls.made[lane] == number; });
  if (!equal) return;
  calls = block.uniform_lane_calls.back();
  block.uniform_lane_calls.pop_back();
}

/// Cuts at two places are two calls: one that only a part of the threads makes is harmless.
bool is_uniform(const detail::UniformNote& a, const detail::UniformNote& b) {
  if (a.call == detail::UniformCall::cut) return a.count == b.count || !(a.site == b.site);
  return a.call == b.call && a.to == b.to && a.from == b.from && a.count == b.count;
}

void compare(WorkerState& worker, Choosing& choosing, std::uint64_t number, UniformCallMade& first,
             const detail::UniformNote& note) {
  if (first.number < number) {
    first = {number, detail::thread_rank(), note};
  } else if (first.number == number && !is_uniform(first.note, note)) {
    choosing.fail_here(unequal_notes(worker, first, note));
  }
}

}  // namespace

void note_uniform_call(WorkerState& worker, Choosing& choosing, const detail::UniformGroup& group,
                       const detail::UniformNote& note) {
  detail::current_thread.busy = true;
  ResidentBlock& block = worker.block();
  const UniformSequence sequence = sequence_of(note.call);
  const unsigned thread = detail::thread_rank();
  if (group.lanes != 0) {
    const unsigned warp = thread / worker.grid().request.warp_size;
    const unsigned lane = thread % worker.grid().request.warp_size;
    UniformLaneCalls& calls = calls_of_lanes(block, sequence, warp, group.lanes);
    const std::uint64_t number = ++calls.made[lane];
    compare(worker, choosing, number, calls.latest[number % UniformCallMade::kKept], note);
    close_if_equal(block, calls);
  } else {
    if (group.tile == 0) note_between(block, detail::SplitBarrier::block, note.site);
    UniformCalls& calls = calls_of_group(block, sequence, group.tile);
    const std::uint64_t number = ++calls.made[thread];
    const std::size_t place = group.tile == 0 ? 0 : thread / group.tile;
    compare(worker, choosing, number, calls.latest[place * UniformCallMade::kKept + number % UniformCallMade::kKept],
            note);
  }
  detail::current_thread.busy = false;
}

}  // namespace warpfiber::engine
