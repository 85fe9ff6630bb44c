// SPDX-License-Identifier: Apache-2.0
// All launches that share their device with others, whether they run or wait for room. Which of them gets room is
// decided here, and where launches stand still, whether another one can still help.
// Invariant: launches_mutex() may be held while a grid's is taken, or while the layer above is asked (ProcessActivity),
// never the other way.
#pragma once

#include <warpfiber/occupancy.hpp>

#include <cstdint>
#include <optional>
#include <string>

#include "base/locks/annotated_mutex.hpp"
#include "engine/request/grid_request.hpp"
#include "engine/state/engine_state.hpp"
#include "machine/residency.hpp"

namespace warpfiber::engine {

class DeviceArbiter;
struct Grid;

/// What else happens in the process that may change the memory of launches that stand still. The layer above implements
/// it. Asked only of launches that stand still, with launches_mutex() held.
class ProcessActivity {
 public:
  /// Whether anything but the `launches` launches of the list can still help. `any_spins`: some of them poll memory,
  /// which another process may write.
  virtual bool can_help(unsigned launches, bool any_spins) const = 0;
  /// Of a launch that has been given up: who could have helped, and how long that was waited for.
  virtual std::optional<record::OutsideHelp> waited_for() const = 0;
  /// The name of a kernel, for reports.
  virtual std::string name_of(const void* kernel) const = 0;

 protected:
  ~ProcessActivity() = default;
};

/// How a launch was seen to stand still.
struct StallState {
  bool spinning = false;          // threads read memory again and again; else blocks wait for room, or for grids
  std::uint64_t multi_phase = 0;  // of the barrier over grids of several devices, none of which it left unnoticed
};

/// A launch that shares its device with others; one without a share has the device to itself. Belongs to the OS thread
/// that runs the launch. What the engine calls while a grid runs is called by workers on their own stacks, never with
/// the grid's mutex held.
class DeviceShare {
 public:
  /// Waits until a launch on `model` has room for a cluster, and sets up its request. `priority`: the smaller, the
  /// sooner.
  DeviceShare(GridRequest& request, const DeviceModel& model, const KernelAttributes& attributes, int priority,
              const ProcessActivity& process);
  ~DeviceShare();
  DeviceShare(const DeviceShare&) = delete;
  DeviceShare& operator=(const DeviceShare&) = delete;

  /// The launch was cancelled before there was room.
  bool cancelled() const {
    const base::Lock lock(launches_mutex());
    return cancelled_;
  }

  /// The launch is about to start with the places it was granted; Grid::receive_places may bring it more from now on.
  void begin(Grid& grid);
  /// No worker is left; the grid is about to go.
  void end();
  /// Room for `places` resident clusters that the launch has no use for any more.
  void give_back(std::uint64_t places);
  /// No thread of the launch makes progress. Returns false if another launch or the host can still change that: the
  /// launch then polls, or waits to be notified, and calls this again after a while.
  bool cannot_progress(const StallState& seen);
  /// Whether another launch that makes progress, or the host, can still change the memory that the launch reads.
  bool can_be_helped() const;
  /// Adds to a finding about a launch that stands still what those outside do.
  void explain(record::Finding& finding) const;

 private:
  friend class DeviceArbiter;

  GridRequest& request_;
  const DeviceModel& model_;
  const ProcessActivity& process_;
  int priority_;
  machine::SmResources block_;
  std::uint64_t wanted_ WARPFIBER_GUARDED_BY(launches_mutex());  // further places
  std::uint64_t held_ WARPFIBER_GUARDED_BY(launches_mutex()) = 0;
  Grid* grid_ WARPFIBER_GUARDED_BY(launches_mutex()) = nullptr;  // while it runs
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

}  // namespace warpfiber::engine
