// SPDX-License-Identifier: Apache-2.0
// Whether the threads of a worker meet in circles: they vote, exchange values or come to barriers again and again, and
// each sample of a thread repeats an earlier state of it, while no thread changes memory by atomics, starts or exits.
// What is exchanged depends on nothing but those states and memory, so it is the same again. Decided by what they do,
// never by how long it takes; that memory is the same is for voting.cpp to see.
#pragma once

#include <cstdint>
#include <unordered_set>
#include <vector>

#include "engine/state/worker_state.hpp"

namespace warpfiber::engine {

class BlockLifecycle;

class MeetingLooks {
 public:
  explicit MeetingLooks(WorkerState& worker) : worker_(worker) {}

  void begin() { forget(); }
  void forget();

  /// On the worker's own stack, where MeetingCount says so: all threads of the worker stand still.
  void look(BlockLifecycle& blocks);
  bool found() const { return is_circle_; }

  /// A vote has begun: all have to go through their circles once more.
  void begin_vote();
  bool all_have_come_round() const;

 private:
  static constexpr unsigned kRepeats = 6;  // of known states in a row, until a thread counts as one in a circle
  static constexpr unsigned kLooksInVote = 2;
  static constexpr unsigned kGetsOn = 8;  // new states in a row of a thread that counts
  static constexpr unsigned kLooksInSeries = 100;

  static constexpr unsigned kNoise = 3;  // new states in a row that may come of interruptions

  struct Thread {
    unsigned repeats = 0;  // since its last new state
    unsigned fresh = 0;    // new states since the last one that was known
    bool is_proven = false;

    void note(bool is_new, bool may_be_noise);
  };

  bool notices_gain();
  bool look_at_threads(std::size_t step);
  bool admits(BlockLifecycle& blocks);
  std::size_t step_of_look() const;
  std::uint64_t warps_of_block() const;

  WorkerState& worker_;
  std::uint64_t gain_ = 0;  // of the launch, at the last look
  bool is_circle_ = false;
  unsigned looks_ = 0;  // of the series
  unsigned turns_ = 0;  // of blocks since the last one
  unsigned looks_in_vote_ = 0;
  std::unordered_set<std::uint64_t> states_;
  std::vector<Thread> threads_;  // by fiber
};

/// A number for what a thread that does not run can see of itself; 0 if not known. Of a thread that was preempted, what
/// the tick has found.
std::uint64_t state_of_waiting(const detail::Fiber& fiber);

}  // namespace warpfiber::engine
