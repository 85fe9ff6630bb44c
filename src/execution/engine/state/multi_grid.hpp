// SPDX-License-Identifier: Apache-2.0
// Grids of several devices that were launched together and may wait for each other
// (cudaLaunchCooperativeKernelMultiDevice). Each runs as a launch of its own, on its own OS threads; this is what they
// share. Any thread may call; a grid's mutex may be taken while the one in here is held, never the other way.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "base/locks/annotated_mutex.hpp"
#include "machine/rendezvous.hpp"

namespace warpfiber::engine {

struct Grid;

class MultiGrid {
 public:
  explicit MultiGrid(unsigned grids) : grids_(grids) {}
  MultiGrid(const MultiGrid&) = delete;
  MultiGrid& operator=(const MultiGrid&) = delete;

  unsigned size() const { return grids_; }
  /// Barriers over all grids that have been completed.
  std::uint64_t phase() const { return barrier_.phase(); }
  /// Every block of one grid has come to the barrier. True for the last grid, which opens it for all: complete(), and
  /// then notify().
  bool arrive() { return barrier_.arrive(grids_); }
  void complete() { barrier_.complete(); }
  void notify();

  /// A grid starts. Those of a launch that has failed are ended at once.
  void join(Grid& grid);
  /// A grid has ended. `failed`: with a finding, or by others; the rest of the launch ends as well, without a finding.
  void leave(Grid& grid, bool failed);
  /// Ends all grids, those that have not started included.
  void fail();
  bool failed() const { return failed_.load(); }
  /// Whether the grid of this rank was ended before all its threads had returned.
  bool was_cut_short(unsigned rank) const;
  /// True for the first that asks: it reports what is wrong with all of them.
  bool is_first_to_report() { return !reported_.exchange(true); }
  /// Ranks of grids that have returned: the barrier never opens again.
  std::vector<unsigned> returned() const;

 private:
  void end_all() WARPFIBER_REQUIRES(mutex_);

  const unsigned grids_;
  machine::SharedRendezvous barrier_;
  std::atomic<bool> failed_{false};
  std::atomic<bool> reported_{false};
  mutable base::Mutex mutex_;
  std::vector<Grid*> running_ WARPFIBER_GUARDED_BY(mutex_);
  std::vector<unsigned> returned_ WARPFIBER_GUARDED_BY(mutex_);
  std::vector<unsigned> cut_short_ WARPFIBER_GUARDED_BY(mutex_);
};

}  // namespace warpfiber::engine
