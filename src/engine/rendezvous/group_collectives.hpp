// SPDX-License-Identifier: Apache-2.0
// Collectives of groups that are larger than a warp and at most a block. Each group has a rendezvous of its own, so
// that groups of one block do not wait for each other: neighbours by their place and number, other sets of threads by
// their members.
// Invariants: a rendezvous is open while some thread has arrived; who is expected is exact whenever a thread that has
// already waited once is running, since whoever returns is counted before another thread of its block goes on.
#pragma once

#include <warpfiber/detail/group.hpp>
#include <warpfiber/detail/thread_set.hpp>

#include <memory>

#include "engine/choosing/choosing.hpp"
#include "engine/state/worker_state.hpp"

namespace warpfiber::engine {

/// Of one worker.
class GroupCollectives {
 public:
  GroupCollectives(WorkerState& worker, Choosing& choosing) : worker_(worker), choosing_(choosing) {}

  /// The rendezvous of threads `first` … `first + size - 1` of `block`, open or to be opened.
  static GroupRendezvous& rendezvous_of(ResidentBlock& block, unsigned first, unsigned size);
  /// The same of any set of threads, which is in the table from now on.
  static SetRendezvous& rendezvous_of(ResidentBlock& block, const detail::ThreadSet& members);

  /// The first thread has come to a call of `collective`.
  void open(ResidentBlock& block, GroupRendezvous& group, const detail::GroupCollective& collective);
  void open(ResidentBlock& block, SetRendezvous& group, const detail::GroupCollective& collective);
  /// All have come that have not returned: they get their results and can go on.
  void complete(ResidentBlock& block, GroupRendezvous& group);
  void complete(ResidentBlock& block, SetRendezvous& group);
  /// A thread of `block` has returned: what its groups wait for may now be complete.
  void recheck(ResidentBlock& block);

 private:
  WorkerState& worker_;
  Choosing& choosing_;
  detail::GroupPart* parts_[1024] = {};  // of the group that is being answered, by rank
};

inline GroupRendezvous& GroupCollectives::rendezvous_of(ResidentBlock& block, unsigned first, unsigned size) {
  if (block.groups == nullptr) block.groups = std::make_unique<GroupRendezvous[]>(kGroupPlaces);
  GroupRendezvous& group = block.groups[group_place(first, size)];
  if (!group.rendezvous.is_open()) {
    group.first = first;
    group.size = size;
  }
  return group;
}

}  // namespace warpfiber::engine
