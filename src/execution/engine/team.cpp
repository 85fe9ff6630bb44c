// SPDX-License-Identifier: Apache-2.0
// OS threads and the workers they run. The launching thread is always one of them; the others are made when first
// needed, sleep between launches, and end with the process.
#include "engine/findings/findings.hpp"
#include "engine/liveness/voting.hpp"
#include "engine/run.hpp"
#include "engine/sharing/device_share.hpp"
#include "engine/signals/runtime_thread.hpp"
#include "engine/state/engine_state.hpp"
#include "engine/worker.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <new>
#include <optional>
#include <system_error>
#include <vector>

#include "base/contract.hpp"
#include "base/forking.hpp"
#include "base/locks/annotated_mutex.hpp"
#include "base/spin_wait.hpp"
#include "base/system/address_space.hpp"
#include "base/thread_modes.hpp"

namespace warpfiber::engine {

/// The OS's numbers of the threads that helpers run on.
struct HelperNumbers {
  base::Mutex mutex;
  std::vector<int> all WARPFIBER_GUARDED_BY(mutex);
};

/// The launches that run, where the process may run out of time.
struct RunningLaunches {
  base::Mutex mutex;
  std::vector<Grid*> grids WARPFIBER_GUARDED_BY(mutex);
  bool time_over WARPFIBER_GUARDED_BY(mutex) = false;
};

namespace {

HelperNumbers& numbers() {
  return EngineState::of_process().helpers.get();
}

/// A sleeping OS thread with a worker of its own.
class Helper {
 public:
  Helper() : thread_([this] { serve(); }) {}
  ~Helper() {
    {
      const base::Lock lock(mutex_);
      leaving_.store(true);
    }
    wake_.notify_one();
    thread_.join();
  }
  Helper(const Helper&) = delete;
  Helper& operator=(const Helper&) = delete;

  /// The worker takes part in the launch as soon as the system lets its thread run.
  void start(Grid& grid, unsigned index) {
    bool sleeps = false;
    {
      const base::Lock lock(mutex_);
      grid_.store(&grid);
      index_ = index;
      sleeps = sleeping_;
    }
    if (sleeps) wake_.notify_one();
  }

  /// The launch needs the worker no longer: returns once it is out of it.
  void finish() {
    {
      const base::Lock lock(mutex_);
      Grid* const grid = grid_.load();
      if (grid != nullptr && !running_) {
        leave_grid(*grid);
        grid_.store(nullptr);
        return;
      }
    }
    if (base::spin_until([this] { return grid_.load() == nullptr; })) return;
    release_for_sleep();
    const base::Lock lock(mutex_);
    while (grid_.load() != nullptr) done_.wait(mutex_);
  }

  Worker& worker() { return worker_; }

 private:
  void serve() {
    {
      const base::Lock lock(numbers().mutex);
      numbers().all.push_back(os_thread_number());
    }
    std::optional<LaunchSeries> series;
    const base::Lock lock(mutex_);
    for (;;) {
      wait_for_launch(series);
      Grid* const grid = grid_.load();
      if (grid == nullptr) return;
      running_ = true;
      const unsigned index = index_;
      {
        const base::Unlocked meanwhile(mutex_);
        if (!series.has_value()) series.emplace();
        worker_.run(*grid, index);
        leave_grid(*grid);
      }
      running_ = false;
      grid_.store(nullptr);
      done_.notify_one();
    }
  }

  /// Returns without a launch when the thread is to end.
  void wait_for_launch(std::optional<LaunchSeries>& series) WARPFIBER_REQUIRES(mutex_) {
    const auto is_needed = [this] { return grid_.load() != nullptr || leaving_.load(); };
    while (!is_needed()) {
      bool soon = false;
      {
        const base::BrieflyUnlocked meanwhile(mutex_);
        soon = base::spin_until(is_needed);
        if (!soon) series.reset();
      }
      if (soon || is_needed()) continue;
      sleeping_ = true;
      wake_.wait(mutex_);
      sleeping_ = false;
    }
  }

  base::Mutex mutex_;
  base::Condition wake_;
  base::Condition done_;
  std::atomic<Grid*> grid_{nullptr};  // written under the mutex
  unsigned index_ WARPFIBER_GUARDED_BY(mutex_) = 0;
  bool running_ WARPFIBER_GUARDED_BY(mutex_) = false;  // the worker takes part in the launch
  bool sleeping_ WARPFIBER_GUARDED_BY(mutex_) = false;
  std::atomic<bool> leaving_{false};  // likewise
  Worker worker_;
  RuntimeThread thread_;
};

/// Those of a type that no launch uses at the moment.
template <class T>
class Spare {
 public:
  std::unique_ptr<T> take() {
    {
      const base::Lock lock(mutex_);
      if (!all_.empty()) {
        std::unique_ptr<T> one = std::move(all_.back());
        all_.pop_back();
        return one;
      }
    }
    return std::make_unique<T>();
  }

  void give_back(std::unique_ptr<T> one) {
    const base::Lock lock(mutex_);
    all_.push_back(std::move(one));
  }

 private:
  base::Mutex mutex_;
  std::vector<std::unique_ptr<T>> all_ WARPFIBER_GUARDED_BY(mutex_);
};

struct Team {
  Spare<Worker> workers;
  Spare<Helper> helpers;
};

/// Ends the helpers with the process. A child has none of them: there nothing is to be waited for.
struct OwnTeam {
  OwnTeam() = default;
  ~OwnTeam() {
    if (!base::is_forked_child()) delete team;
  }
  OwnTeam(const OwnTeam&) = delete;
  OwnTeam& operator=(const OwnTeam&) = delete;

  Team* const team = new Team;
};

Team& team() {
  static const OwnTeam instance;
  return *instance.team;
}

/// As many as are wanted, or as the system has threads and memory for: a launch ends with fewer, too.
std::vector<std::unique_ptr<Helper>> take_helpers(unsigned wanted) {
  std::vector<std::unique_ptr<Helper>> helpers;
  try {
    while (helpers.size() < wanted && base::has_headroom_for_thread()) helpers.push_back(team().helpers.take());
  } catch (const std::system_error&) {
  } catch (const std::bad_alloc&) {
  }
  return helpers;
}

}  // namespace

namespace {

/// Whether the checker has seen nothing but what the headers do to objects of their own.
bool is_own_business(const record::Finding& finding) {
  const void* const instruction = finding.parties.front().place.instruction;
  if (finding.verdict == record::Verdict::uninit_global || finding.verdict == record::Verdict::uninit_shared)
    return is_of_synchronising_object(instruction);
  return finding.verdict == record::Verdict::oob_global && !finding.object.has_value() && is_of_own_object(instruction);
}

}  // namespace

namespace {

/// Null where they are not listed.
RunningLaunches* running() {
  EngineState& state = EngineState::of_process();
  return state.time_may_end.load() ? &state.launches.get() : nullptr;
}

/// A launch is among those that run while this exists.
class Listed {
 public:
  explicit Listed(Grid& grid) : grid_(grid), list_(running()) {
    if (list_ == nullptr) return;
    const base::Lock lock(list_->mutex);
    list_->grids.push_back(&grid_);
    if (list_->time_over) grid_.end_time();
  }
  ~Listed() {
    if (list_ == nullptr) return;
    const base::Lock lock(list_->mutex);
    std::erase(list_->grids, &grid_);
  }
  Listed(const Listed&) = delete;
  Listed& operator=(const Listed&) = delete;

 private:
  Grid& grid_;
  RunningLaunches* const list_;
};

}  // namespace

void expect_end_of_time() {
  EngineState::of_process().time_may_end.store(true);
}

void end_time_of_all() {
  RunningLaunches* const list = running();
  if (list == nullptr) return;
  const base::Lock lock(list->mutex);
  list->time_over = true;
  for (Grid* grid : list->grids) grid->end_time();
}

namespace {

/// Before the first worker starts.
void set_up(Grid& grid, Worker& own, std::vector<std::unique_ptr<Helper>>& helpers) {
  grid.mutex.assume_alone();
  grid.active = static_cast<unsigned>(helpers.size()) + 1;
  // Every worker has one place of its own, so that running one block after another touches nothing shared.
  grid.free_places.fetch_sub(grid.active);
  grid.workers.push_back(&own);
  for (auto& helper : helpers) grid.workers.push_back(&helper->worker());
}

/// After the last worker has left.
GridOutcome outcome_of(Grid& grid) {
  grid.mutex.assume_alone();
  grid.fail_with_left_out();
  if (grid.finding.has_value()) look_up_places(*grid.finding);
  std::erase_if(grid.findings, is_own_business);
  return GridOutcome{std::move(grid.finding),
                     grid.cancelled.load(),
                     grid.static_shared.load(),
                     grid.grid_barriers.load(),
                     grid.barriers.load() + grid.barrier.phase(),
                     std::move(grid.decisions),
                     std::move(grid.findings),
                     grid.findings_dropped,
                     grid.ended_by_time.load(),
                     grid.is_empty,
                     grid.printed.load() != 0};
}

}  // namespace

GridOutcome run_grid(const GridRequest& request) {
  Grid grid(request);
  const Listed listed(grid);
  const FaultHandlers while_it_runs;
  const auto places = static_cast<std::uint64_t>(grid.free_places.load());
  WARPFIBER_CONTRACT(places > 0, "a launch starts with room for one cluster");
  const auto helpers_wanted =
      static_cast<unsigned>(std::min<std::uint64_t>({request.workers, grid.clusters, places}) - 1);
  std::vector<std::unique_ptr<Helper>> helpers = take_helpers(helpers_wanted);
  std::unique_ptr<Worker> own = team().workers.take();
  set_up(grid, *own, helpers);
  if (request.device_share != nullptr) request.device_share->begin(grid);
  if (request.multi != nullptr) request.multi->join(grid);
  for (unsigned i = 0; i < helpers.size(); ++i) helpers[i]->start(grid, i + 1);
  own->run(grid, 0);
  leave_grid(grid);
  for (auto& helper : helpers) helper->finish();
  if (request.multi != nullptr) request.multi->leave(grid, grid.stopped());
  if (request.device_share != nullptr) request.device_share->end();
  team().workers.give_back(std::move(own));
  for (auto& helper : helpers) team().helpers.give_back(std::move(helper));
  return outcome_of(grid);
}

std::vector<int> helper_threads() {
  const base::Lock lock(numbers().mutex);
  return numbers().all;
}

void keep_team() {
  team();
}

bool inside_kernel() {
  return Worker::current() != nullptr;
}

void exit_as_host(void (*exit)(int), int status) {
  struct ExitCall {
    void (*function)(int);
    int argument;
    const base::FloatMode& floats;
  } call{exit, status, Worker::current()->grid().request.host_floats};
  const auto make = [](void* data) {
    const auto& [function, argument, floats] = *static_cast<ExitCall*>(data);
    base::PlainLocale::leave();
    base::set_float_mode(floats);
    function(argument);
  };
  detail::current_thread.busy = true;
  leave_to_host(make, &call);
}

std::function<std::vector<record::Finding>()> leave_for_exit() {
  detail::current_thread.busy = true;
  return [worker = Worker::current()] {
    std::vector<record::Finding> found = worker->found_so_far();
    std::erase_if(found, is_own_business);
    return found;
  };
}

}  // namespace warpfiber::engine
