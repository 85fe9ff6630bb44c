// SPDX-License-Identifier: Apache-2.0
// Whether the threads of a worker that spin do so in circles: each comes to the same state again and again, and memory
// does not change meanwhile. That is decided by what they do, never by how long it takes. Where it holds on all workers
// of a launch, voting.cpp takes a vote, for which every thread has to run once more.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "engine/liveness/meeting_looks.hpp"
#include "engine/state/block.hpp"
#include "engine/state/circles/spin_history.hpp"
#include "engine/state/grid.hpp"
#include "engine/state/policy_queue.hpp"

namespace warpfiber::engine {

class Circles {
 public:
  /// Rounds without progress before the states of all threads are looked at.
  static constexpr std::uint64_t kPatience = 16;

  explicit Circles(WorkerState& worker)
      : worker_(worker), resident_(worker.resident), queue_(worker.policy), meetings_(worker) {}

  void begin(Grid& grid);

  /// Whether the state of a thread that spins at `where` is of use: it takes long to make of a large stack.
  bool looks_at(const SpinNote& where) const;
  /// `fiber` spins at `where`, in this state; 0: not known.
  void look(detail::Fiber& fiber, const SpinNote& where, std::uint64_t state);

  /// `fiber` is in a loop that changes nothing by which it could leave it, or has left that.
  void set_idling(const detail::Fiber& fiber, bool idles);
  /// It has been through such a loop once more.
  void pass_idly(const detail::Fiber& fiber);

  /// Something has changed since the last round, so that no state of before means anything.
  bool noticed_progress();
  void count_round() { ++rounds_; }
  std::uint64_t rounds() const { return rounds_; }
  /// Looks whether every thread of the worker that can run has been in the same state before, if there were enough
  /// rounds: `patience`.
  void reconsider(std::uint64_t patience);
  /// Looks at threads that meet again and again (meeting_looks.hpp).
  void look_at_meetings(BlockLifecycle& blocks);
  /// Nothing runs here but threads in circles.
  bool found() const { return spins_ || meetings_.found(); }

  /// The running thread reads the word at `polled`, and the worker's threads are in circles: reports name it.
  void note_polled(detail::Fiber& fiber, const PolledWord& polled) {
    ++fiber.more->passes;
    history_of(fiber).note_polled(polled);
  }

  /// Whether this worker has yet to let its spinning threads run once more in vote `vote`.
  bool takes_first_look(std::uint64_t vote);
  bool still_there() const;
  /// Whether all of them have been through their whole circles since this worker heard of the vote: who polls at
  /// several places has not read all that it waits for at the first. A policy may pass some over for long.
  bool all_have_looked() const;

 private:
  SpinHistory& history_of(const detail::Fiber& fiber);
  bool repeats(const detail::Fiber& fiber) const;
  bool all_repeat() const;
  std::size_t spinning_threads() const;
  void set_spins(bool spins);
  void announce();

  WorkerState& worker_;
  const std::vector<ResidentBlock*>& resident_;
  const PolicyQueue& queue_;
  Grid* grid_ = nullptr;
  std::uint64_t progress_ = 0;  // of the launch, and meetings of the worker, at the last round
  std::uint64_t gain_ = 0;      // without meetings
  std::uint64_t rounds_ = 0;    // since then
  std::uint64_t vote_ = 0;
  std::size_t threads_in_vote_ = 0;
  MeetingLooks meetings_;
  bool spins_ = false;     // all threads that can run let others run, in circles
  bool is_known_ = false;  // to the launch that circles were found
  std::vector<std::unique_ptr<SpinHistory>> histories_;
};

}  // namespace warpfiber::engine
