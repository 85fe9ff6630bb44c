// SPDX-License-Identifier: Apache-2.0
// Collectives of groups that are larger than a warp and at most a block. Each group has a rendezvous of its own, so
// that groups of one block do not wait for each other: neighbours by their place and number, other sets of threads by
// their members.
// Invariants: a gather is open while somebody has arrived; who is expected is exact whenever a thread that has already
// waited once is running, since whoever returns is counted before another thread of its block goes on.
#pragma once

#include <warpfiber/detail/group.hpp>
#include <warpfiber/detail/thread_set.hpp>

#include "engine/block.hpp"

namespace warpfiber::engine {

class Worker;

/// Of one worker.
class GroupCollectives {
 public:
  explicit GroupCollectives(Worker& worker) : worker_(worker) {}

  /// The running thread comes to a collective of threads `first` … `first + size - 1` of its block.
  detail::Switch arrive(unsigned first, unsigned size, const detail::GroupCollective& collective,
                        detail::GroupPart* part);
  /// The same of any set of threads.
  detail::Switch arrive(const detail::ThreadSet& members, const detail::GroupCollective& collective,
                        detail::GroupPart* part);
  /// A thread of `block` has returned: what its groups wait for may now be complete.
  void recheck(ResidentBlock& block);

 private:
  template <class Gather>
  detail::Switch arrive_at(Gather& gather, detail::Fiber* self, const detail::GroupCollective& collective,
                           detail::GroupPart* part);
  void complete(ResidentBlock& block, GroupGather& gather);
  void complete(ResidentBlock& block, SetGather& gather);

  Worker& worker_;
  detail::GroupPart* parts_[1024] = {};  // of the group that is being answered, by rank
};

/// The running thread makes a call that all threads of `group` make uniformly, without waiting. Calls are compared as
/// they come; one that is not uniform ends the launch.
void note_uniform_call(Worker& worker, const detail::UniformGroup& group, const detail::UniformNote& note);

}  // namespace warpfiber::engine
