// SPDX-License-Identifier: Apache-2.0
//
// One mutex guards the list of launches. Room is given by priority and age; launches that stand still are looked at
// in rounds, until all of them agree that nothing can change.
#include "engine/sharing/device_share.hpp"

#include <algorithm>
#include <atomic>
#include <vector>

#include "base/index.hpp"
#include "base/locks/annotated_mutex.hpp"
#include "base/text.hpp"
#include "engine/signals/os_thread.hpp"
#include "engine/state/grid.hpp"

namespace warpfiber::engine {

namespace {

// Rounds in a row in which every launch finds nothing but spinning before that is believed: what is found in the second
// was looked at after nobody could change it any more.
constexpr unsigned kRounds = 2;

std::uint64_t most_places(const GridRequest& request) {
  const std::uint64_t blocks = base::volume(request.cluster);
  return std::min(request.resident_blocks / blocks, base::volume(request.grid) / blocks);
}

machine::SmResources room_for_block(const GridRequest& request, const DeviceModel& model,
                                    const KernelAttributes& attributes) {
  const auto threads = static_cast<unsigned>(base::volume(request.block));
  return machine::resources_of_block(occupancy(model, attributes, threads, request.dynamic_shared));
}

std::string launch_text(const GridRequest& request, const ProcessActivity& process) {
  const record::LaunchFacts& facts = request.facts;
  return process.name_of(request.kernel) + "<<<" + base::triple_text(facts.grid) + ", " +
         base::triple_text(facts.block) + ">>>";
}

}  // namespace

class DeviceArbiter {
 public:
  static DeviceArbiter& of_process() { return EngineState::of_process().device_arbiter.get(); }

  /// The places that it then has.
  std::uint64_t enter(DeviceShare& one) {
    const base::Lock lock(launches_mutex());
    // Those of higher priority are served first, and among equals those that have waited longest.
    const auto later = std::find_if(all_.begin(), all_.end(),
                                    [&](const DeviceShare* other) { return other->priority_ > one.priority_; });
    all_.insert(later, &one);
    launches_.fetch_add(1);
    start_over();
    serve(device_of(one));
    one.kept_out_ = one.held_ == 0;
    if (one.kept_out_) {
      notify_waiting();
      this_os_thread().release();
    }
    while (one.held_ == 0 && !one.cancelled_) changed_.wait(launches_mutex());
    one.kept_out_ = false;
    return one.held_;
  }

  void leave(DeviceShare& one) {
    const base::Lock lock(launches_mutex());
    std::erase(all_, &one);
    launches_.fetch_sub(1);
    if (ending_ == &one) ending_ = nullptr;
    start_over();
    serve(device_of(one));
  }

  void begin(DeviceShare& one, Grid& grid) {
    const base::Lock lock(launches_mutex());
    one.grid_ = &grid;
    if (one.cancelled_) grid.cancel();
    // What was granted since the request was made.
    const auto known = static_cast<std::uint64_t>(grid.held_places.load());
    if (one.held_ > known) grid.receive_places(one.held_ - known);
  }

  void end(DeviceShare& one) {
    const base::Lock lock(launches_mutex());
    one.grid_ = nullptr;
    one.wanted_ = 0;
  }

  void give_back(DeviceShare& one, std::uint64_t places) {
    const base::Lock lock(launches_mutex());
    one.held_ -= places;
    one.wanted_ = 0;
    start_over();
    serve(device_of(one));
  }

  bool cannot_progress(DeviceShare& one, const StallState& seen) {
    const base::Lock lock(launches_mutex());
    MultiGrid* multi = one.grid_->request.multi;
    // In this order: a grid may come to the barrier, open it, and return.
    const bool too_few = multi != nullptr && !multi->returned().empty();
    if (multi != nullptr && multi->phase() != seen.multi_phase) return false;
    const bool waits_for_grids = one.grid_->waits_for_grids(seen.multi_phase);
    if (!seen.spinning && one.wanted_ == 0) {
      // Threads that all wait for one another in one launch are nobody else's business.
      if (!waits_for_grids) return true;
      if (too_few) return multi->is_first_to_report();
    }
    if (one.cancelled_ || ending_ != nullptr) return false;
    const std::uint64_t progress = one.grid_->total_gain();
    if (progress != one.progress_) start_over();
    one.progress_ = progress;
    one.agrees_ = true;
    one.waits_ = !seen.spinning;
    one.phase_ = seen.multi_phase;
    if (!all_agree()) return false;
    if (one.process_.can_help(launches(), any_spins())) {
      start_over();
      return false;
    }
    if (++rounds_ < kRounds) {
      for (DeviceShare* other : all_) other->agrees_ = false;
      notify_waiting();
      return false;
    }
    // One that spins has more to report than one that waits for it.
    if (!seen.spinning && waits_for_grids && any_spins()) return false;
    ending_ = &one;
    return true;
  }

  /// What other launches do is seen in memory.
  bool can_be_helped(const DeviceShare& one) {
    const base::Lock lock(launches_mutex());
    return one.process_.can_help(launches(), true);
  }

  void explain(const DeviceShare& one, record::Finding& finding) {
    const base::Lock lock(launches_mutex());
    record::OtherLaunches others;
    for (const DeviceShare* other : all_) {
      if (other == &one) continue;
      const bool here = share_device(*other, one);
      auto& list = other->grid_ == nullptr ? others.kept_out : here ? others.blocked : others.elsewhere;
      list.push_back(launch_text(other->request_, other->process_));
    }
    finding.help = one.process_.waited_for();
    if (others.kept_out.empty() && others.blocked.empty() && others.elsewhere.empty()) return;
    finding.verdict = record::Verdict::deadlock;
    finding.other_launches = std::move(others);
  }

  void cancel(int device) {
    const base::Lock lock(launches_mutex());
    for (DeviceShare* one : all_) {
      if (device >= 0 && device_of(*one) != device) continue;
      one->cancelled_ = true;
      if (one->grid_ != nullptr) one->grid_->cancel();
    }
    changed_.notify_all();
  }

  void reconsider() {
    if (launches_.load() == 0) return;
    const base::Lock lock(launches_mutex());
    notify_waiting();
  }

  unsigned launches() const { return launches_.load(); }

 private:
  static std::uint64_t blocks_of_cluster(const DeviceShare& one) { return base::volume(one.request_.cluster); }
  static int device_of(const DeviceShare& one) { return one.request_.device; }
  /// Launches of the native API choose a model each, and those of different models are on different devices.
  static bool share_device(const DeviceShare& one, const DeviceShare& other) {
    return device_of(one) == device_of(other) && one.model_ == other.model_;
  }

  /// Places for clusters of `one` next to all that is resident on its device.
  std::uint64_t places_for(const DeviceShare& one) const WARPFIBER_REQUIRES(launches_mutex()) {
    std::vector<machine::ResidentBlocks> held;
    for (const DeviceShare* other : all_) {
      if (other->held_ == 0 || !share_device(*other, one)) continue;
      held.push_back(machine::ResidentBlocks{other->block_, other->held_ * blocks_of_cluster(*other)});
    }
    return machine::blocks_that_fit(one.model_, held, one.block_) / blocks_of_cluster(one);
  }

  /// Something has changed: whatever was agreed on has to be looked at again.
  void start_over() WARPFIBER_REQUIRES(launches_mutex()) {
    rounds_ = 0;
    for (DeviceShare* one : all_) one->agrees_ = false;
  }

  /// Gives what room there is on `device` to those that want it.
  void serve(int device) WARPFIBER_REQUIRES(launches_mutex()) {
    for (DeviceShare* one : all_) {
      if (device_of(*one) != device || one->wanted_ == 0 || one->cancelled_) continue;
      const std::uint64_t places = std::min(one->wanted_, places_for(*one));
      if (places == 0) continue;
      one->wanted_ -= places;
      one->held_ += places;
      one->waits_ = one->kept_out_ = false;
      if (one->grid_ != nullptr) one->grid_->receive_places(places);
    }
    changed_.notify_all();
  }

  /// Every launch stands still: it has said so in this round and done nothing since, or it has no room to start in.
  bool all_agree() const WARPFIBER_REQUIRES(launches_mutex()) {
    return std::all_of(all_.begin(), all_.end(), [](const DeviceShare* one) WARPFIBER_REQUIRES(launches_mutex()) {
      if (one->grid_ == nullptr) return one->kept_out_;
      const MultiGrid* multi = one->grid_->request.multi;
      return (one->agrees_ || one->waits_) && one->grid_->total_gain() == one->progress_ &&
             (multi == nullptr || multi->phase() == one->phase_);
    });
  }

  bool any_spins() const WARPFIBER_REQUIRES(launches_mutex()) {
    return std::any_of(all_.begin(), all_.end(), [](const DeviceShare* one) WARPFIBER_REQUIRES(launches_mutex()) {
      return one->grid_ != nullptr && !one->waits_;
    });
  }

  /// Launches that wait for room do not ask again by themselves.
  void notify_waiting() WARPFIBER_REQUIRES(launches_mutex()) {
    for (DeviceShare* one : all_) {
      if (one->grid_ != nullptr && one->waits_) one->grid_->notify();
    }
  }

  base::Condition changed_;
  std::vector<DeviceShare*> all_ WARPFIBER_GUARDED_BY(launches_mutex());
  unsigned rounds_ WARPFIBER_GUARDED_BY(launches_mutex()) = 0;
  const DeviceShare* ending_ WARPFIBER_GUARDED_BY(launches_mutex()) = nullptr;  // about to end with a finding
  std::atomic<unsigned> launches_{0};  // how many all_ are: whoever runs a kernel that is not among them can go on
};

DeviceShare::DeviceShare(GridRequest& request, const DeviceModel& model, const KernelAttributes& attributes,
                         int priority, const ProcessActivity& process)
    : request_(request),
      model_(model),
      process_(process),
      priority_(priority),
      block_(room_for_block(request, model, attributes)),
      wanted_(most_places(request)) {
  request.granted_places = DeviceArbiter::of_process().enter(*this);
  request.device_share = this;
}

DeviceShare::~DeviceShare() {
  DeviceArbiter::of_process().leave(*this);
}

void DeviceShare::begin(Grid& grid) {
  DeviceArbiter::of_process().begin(*this, grid);
}

void DeviceShare::end() {
  DeviceArbiter::of_process().end(*this);
}

void DeviceShare::give_back(std::uint64_t places) {
  DeviceArbiter::of_process().give_back(*this, places);
}

bool DeviceShare::cannot_progress(const StallState& seen) {
  return DeviceArbiter::of_process().cannot_progress(*this, seen);
}

bool DeviceShare::can_be_helped() const {
  return DeviceArbiter::of_process().can_be_helped(*this);
}

void DeviceShare::explain(record::Finding& finding) const {
  DeviceArbiter::of_process().explain(*this, finding);
}

void cancel_launches(int device) {
  DeviceArbiter::of_process().cancel(device);
}

void reconsider_launches() {
  DeviceArbiter::of_process().reconsider();
}

}  // namespace warpfiber::engine
