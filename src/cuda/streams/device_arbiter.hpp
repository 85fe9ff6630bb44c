// SPDX-License-Identifier: Apache-2.0
// All launches of streams that run or wait for room on their device. The arbiter decides which of them gets room. Where
// launches stand still, it decides whether another launch, work of a stream or a thread of the host can still help.
// Invariant: the arbiter's mutex may be held while a grid's or the scheduler's is taken, never the other way.
#pragma once

#include <cstdint>
#include <vector>

#include "machine/residency.hpp"
#include "streams/prepared_launch.hpp"
#include "streams/state/streams_state.hpp"

namespace warpfiber::streams {

class DeviceArbiter;

/// A launch that shares its device with others. Belongs to the OS thread that runs the launch.
class ResidentLaunch final : public engine::DeviceShare {
 public:
  /// Waits until `launch` has room for a cluster, and sets up its request. `priority`: the smaller, the sooner.
  ResidentLaunch(PreparedLaunch& launch, int priority);
  ~ResidentLaunch();

  /// The launch was cancelled before there was room.
  bool cancelled() const {
    const base::Lock lock(launches_mutex());
    return cancelled_;
  }

  void begin(engine::Grid& grid) override;
  void end(engine::Grid& grid) override;
  void give_back(std::uint64_t places) override;
  bool cannot_progress(const engine::StallState& seen) override;
  bool can_be_helped() override;
  void explain(record::Finding& finding) const override;

 private:
  friend class DeviceArbiter;

  PreparedLaunch& launch_;
  int priority_;
  machine::SmResources block_;
  std::uint64_t wanted_ WARPFIBER_GUARDED_BY(launches_mutex());  // further places
  std::uint64_t held_ WARPFIBER_GUARDED_BY(launches_mutex()) = 0;
  engine::Grid* grid_ WARPFIBER_GUARDED_BY(launches_mutex()) = nullptr;  // while it runs
  bool cancelled_ WARPFIBER_GUARDED_BY(launches_mutex()) = false;
  bool kept_out_ WARPFIBER_GUARDED_BY(launches_mutex()) = false;  // nothing of it is resident, for want of room
  bool waits_ WARPFIBER_GUARDED_BY(launches_mutex()) =
      false;  // blocks that wait for room are all that is left; asks again when it is notified
  bool agrees_ WARPFIBER_GUARDED_BY(launches_mutex()) =
      false;  // has found in this round that nothing but spinning happens
  std::uint64_t progress_ WARPFIBER_GUARDED_BY(launches_mutex()) = 0;
  std::uint64_t phase_ WARPFIBER_GUARDED_BY(launches_mutex()) =
      0;  // of the barrier over several grids, as of when it last asked
};

/// Cancels all launches of `device`, or of every device with -1.
void cancel_launches(int device);

/// A thread of the host has come to wait, so that launches that stand still may be beyond help by now.
void reconsider_launches();

/// Launches that have not ended, whether they run or wait for room.
unsigned launches_in_progress();

}  // namespace warpfiber::streams
