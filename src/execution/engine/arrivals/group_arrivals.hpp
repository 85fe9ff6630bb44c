// SPDX-License-Identifier: Apache-2.0
// How threads come to collectives of groups that are larger than a warp and at most a block, and to calls that all
// threads of a group make without waiting. Each group has a rendezvous of its own, so that groups of one block do not
// wait for each other: neighbours by their place and number, other sets of threads by their members.
// Invariants: a rendezvous is open while some thread has arrived; who is expected is exact whenever a thread that has
// already waited once is running, since whoever returns is counted before another thread of its block goes on.
#pragma once

#include <warpfiber/detail/group.hpp>
#include <warpfiber/detail/thread_set.hpp>

#include "engine/rendezvous/releasing.hpp"
#include "engine/waits/waits.hpp"

namespace warpfiber::engine {

/// Of one worker.
class GroupArrivals {
 public:
  explicit GroupArrivals(Waits& waits)
      : worker_(waits.worker()), waits_(waits), releasing_(waits.releasing()), choosing_(waits.choosing()) {}

  /// The running thread comes to a collective of threads `first` … `first + size - 1` of its block.
  detail::Switch arrive(unsigned first, unsigned size, const detail::GroupCollective& collective,
                        detail::GroupPart* part);
  /// The same of any set of threads.
  detail::Switch arrive(const detail::ThreadSet& members, const detail::GroupCollective& collective,
                        detail::GroupPart* part);

 private:
  template <class Group>
  detail::Switch arrive_at(Group& group, detail::Fiber* self, const detail::GroupCollective& collective,
                           detail::GroupPart* part);

  WorkerState& worker_;
  Waits& waits_;
  Releasing& releasing_;
  Choosing& choosing_;
};

/// The running thread makes a call that all threads of `group` make, without waiting. Calls are compared as they
/// come; one that is not uniform ends the launch.
void note_uniform_call(WorkerState& worker, Choosing& choosing, const detail::UniformGroup& group,
                       const detail::UniformNote& note);

}  // namespace warpfiber::engine
