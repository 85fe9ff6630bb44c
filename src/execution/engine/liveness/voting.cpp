// SPDX-License-Identifier: Apache-2.0
// The last worker that finds nothing to do decides for all of them, under the grid's mutex.
#include "engine/liveness/voting.hpp"

#include <algorithm>
#include <chrono>
#include <utility>
#include <vector>

#include "base/locks/annotated_mutex.hpp"
#include "engine/findings/findings.hpp"
#include "engine/liveness/shared_ranges.hpp"
#include "engine/rendezvous/releasing.hpp"
#include "engine/sharing/device_share.hpp"

namespace warpfiber::engine {
namespace {

// How often a launch that only others can help looks at memory at once, and how long it then lets the processor go.
constexpr unsigned kEagerLooks = 256;
constexpr auto kPause = std::chrono::microseconds(50);
// How long one whose blocks all wait sleeps before it asks again who could help: most of those say what they do, but a
// thread of the host does not say that it sleeps or has ended.
constexpr auto kSleep = std::chrono::milliseconds(100);
// More memory is not looked at: threads that poll are believed without, and others are left to the watchdog.
constexpr std::size_t kMostBytes = std::size_t{1} << 30;
constexpr unsigned kMostDoublings = 14;  // of the votes that pass without a look, where memory changes again and again

/// Whether nothing outside the launch can help it either.
bool is_alone(const Grid& grid, const StallState& seen) WARPFIBER_EXCLUDES(grid.mutex) {
  DeviceShare* device_share = grid.request.device_share;
  return device_share == nullptr || device_share->cannot_progress(seen);
}

/// Whether something that the worker does not see while idle lets it go on (under the grid's mutex).
bool can_go_on(const WorkerState& worker) {
  return worker.grid().stopped() || worker.admission.may_admit() || has_open_barrier(worker);
}

void set_idle(WorkerState& worker, bool idle) {
  worker.is_idle = idle;
  worker.grid().idle.fetch_add(idle ? 1U : ~0U);
}

void end_with_explanation(Grid& grid) WARPFIBER_EXCLUDES(grid.mutex) {
  record::Finding finding = explain_stall(grid);
  if (grid.request.device_share != nullptr) grid.request.device_share->explain(finding);
  grid.fail(std::move(finding));
}

/// A worker that was notified that it can go on may not have woken yet, so being idle is not enough. All workers are
/// idle.
bool all_are_stuck(const Grid& grid) WARPFIBER_REQUIRES(grid.mutex) {
  return std::none_of(grid.workers.begin(), grid.workers.end(),
                      [](const WorkerState* worker) { return can_go_on(*worker); });
}

/// Notes at which phase of the barrier over several grids the launch stands still; all workers do. False if a barrier
/// wider than a block has opened for blocks that have not been notified yet: they may be those that spinning threads
/// wait for.
bool note_phase(const Grid& grid, StallState& seen) WARPFIBER_REQUIRES(grid.mutex) {
  if (grid.request.multi != nullptr) seen.multi_phase = grid.request.multi->phase();
  return std::none_of(grid.workers.begin(), grid.workers.end(),
                      [](const WorkerState* worker) { return has_open_barrier(*worker); });
}

/// Whether a worker that was notified that it can go on has not woken yet: those that spin may wait for just what it
/// will do.
bool any_about_to_wake(const Grid& grid) WARPFIBER_REQUIRES(grid.mutex) {
  return std::any_of(grid.workers.begin(), grid.workers.end(),
                     [](const WorkerState* worker) { return worker->is_idle && can_go_on(*worker); });
}

/// Whether some thread does more in its loop than to look at memory, as far as is known.
bool any_works(const Grid& grid) {
  bool any = std::ranges::any_of(grid.workers, [](const WorkerState* worker) { return worker->meets_in_circles; });
  const auto ask = [&any](const detail::Fiber* fiber) {
    const auto* note = fiber == nullptr ? nullptr : static_cast<const SpinNote*>(fiber->more->note);
    any = any || (note != nullptr && note->works);
  };
  for (const WorkerState* worker : grid.workers) {
    for (const ResidentBlock* block : worker->resident) block->yielded.each(ask);
    for (const detail::Fiber* fiber : worker->policy.fibers()) ask(fiber);
  }
  return any;
}

/// Barriers in memory at which idle threads arrive again and again: their phases advance, and no thread makes progress.
std::vector<const void*> idle_words(const Grid& grid) {
  std::vector<const void*> words;
  for (const WorkerState* worker : grid.workers)
    words.insert(words.end(), worker->idle_words.begin(), worker->idle_words.end());
  std::ranges::sort(words);
  words.erase(std::unique(words.begin(), words.end()), words.end());
  return words;
}

/// Threads in circles may still write what others wait for, by plain stores, which count as no progress. So memory has
/// to be the same after two votes: between those each of them has gone through its whole circle. All workers stand
/// still.
bool is_memory_still(Grid& grid) WARPFIBER_REQUIRES(grid.mutex) {
  StillMemory& still = grid.still_memory;
  const std::uint64_t gain = grid.total_gain();
  if (still.gain != gain) still = {.gain = gain};
  if (still.is_proven) return true;
  const std::vector<MemoryRange> ranges = without_words(shared_ranges(grid), idle_words(grid));
  std::size_t bytes = 0;
  for (const MemoryRange& one : ranges) bytes += one.bytes;
  if (bytes > kMostBytes) return !any_works(grid);
  const std::uint64_t hash = hash_of(ranges).value_or(0);
  if (hash != 0 && std::exchange(still.hash, hash) == hash) {
    still.is_proven = true;
  } else {
    still.votes_to_skip = still.changes == 0 ? 0 : 1U << std::min(still.changes, kMostDoublings);
    ++still.changes;
  }
  return still.is_proven;
}

/// Ends the launch if nothing outside can help it. Whoever is asked takes the grid's mutex.
bool end_if_alone(Grid& grid, const StallState& still) WARPFIBER_REQUIRES(grid.mutex) {
  const base::Unlocked meanwhile(grid.mutex);
  if (!is_alone(grid, still)) return false;
  end_with_explanation(grid);
  return true;
}

/// Some thread got on after all.
void end_vote(Grid& grid) WARPFIBER_REQUIRES(grid.mutex) {
  if (!grid.voting.exchange(false)) return;
  grid.wake.notify_all();
}

}  // namespace

bool wait_for_event(WorkerState& worker) {
  Grid& grid = worker.grid();
  const base::Lock lock(grid.mutex);
  if (worker.resident.empty() && !can_go_on(worker)) {
    // Places that other workers' blocks give back are no use to a worker when no block is left to start.
    if (!worker.admission.has_unstarted()) return false;
  }
  end_vote(grid);
  set_idle(worker, true);
  while (!can_go_on(worker) && !grid.time_over.load()) {
    const std::uint64_t seen = grid.events;
    StallState still;
    if (grid.idle.load() == grid.active && note_phase(grid, still) && all_are_stuck(grid)) {
      if (end_if_alone(grid, still)) break;
      const auto end = std::chrono::steady_clock::now() + kSleep;
      while (grid.events == seen && grid.wake.wait_until(grid.mutex, end) == std::cv_status::no_timeout) {
      }
    } else {
      while (grid.events == seen) grid.wake.wait(grid.mutex);
    }
  }
  set_idle(worker, false);
  end_vote(grid);
  return true;
}

// A thread may spin on a word that another worker's thread has just stored with a plain store, which is not counted
// as progress. So finding circles everywhere only opens a vote: every worker then lets all its spinning threads run
// once more, and agrees if they are still in the same circles. One that finds anything else ends the vote.
bool stop_if_all_circle(WorkerState& worker, Circles& circles) {
  Grid& grid = worker.grid();
  const base::Lock lock(grid.mutex);
  if (!grid.voting.load()) {
    if (grid.idle.load() + grid.circling.load() < grid.active) return false;
    if (grid.still_memory.votes_to_skip != 0 && grid.still_memory.gain == grid.total_gain()) {
      --grid.still_memory.votes_to_skip;
      return false;
    }
    grid.voting.store(true);
    ++grid.vote;
    grid.agreed = 0;
    grid.vote_gain = grid.total_gain();
  }
  const std::uint64_t vote = grid.vote;
  const bool first_look = circles.takes_first_look(vote);
  // What this worker has done since others agreed may be what those wait for.
  if (!circles.still_there() || grid.total_gain() != grid.vote_gain) {
    end_vote(grid);
    return false;
  }
  if (first_look || !circles.all_have_looked()) return false;
  ++grid.agreed;
  if (grid.idle.load() + grid.agreed < grid.active) {
    while (grid.voting.load() && grid.vote == vote && !grid.stopped() && !grid.time_over.load())
      grid.wake.wait(grid.mutex);
    return grid.stopped();
  }
  StallState still{true, 0};
  if (!note_phase(grid, still) || any_about_to_wake(grid) || !is_memory_still(grid)) {
    end_vote(grid);
    return false;
  }
  // The vote stays open meanwhile, so that no other worker asks.
  if (end_if_alone(grid, still)) return true;
  end_vote(grid);
  if (++grid.looks <= kEagerLooks) return false;
  const auto end = std::chrono::steady_clock::now() + kPause;
  while (!grid.stopped() && grid.wake.wait_until(grid.mutex, end) == std::cv_status::no_timeout) {
  }
  return false;
}

void rest(WorkerState& worker) {
  Grid& grid = worker.grid();
  const base::Lock lock(grid.mutex);
  ++grid.resting;
  grid.wake.notify_all();
  while (grid.resting < grid.active && !grid.stopped()) grid.wake.wait(grid.mutex);
  if (grid.stopped()) return;
  // All others wait, so nothing changes what is looked at. One of them is enough.
  grid.finding = explain_end_of_time(grid);
  grid.stop.store(true);
  grid.wake.notify_all();
}

void leave_grid(Grid& grid) {
  const base::Lock lock(grid.mutex);
  --grid.active;
  ++grid.events;
  end_vote(grid);
  grid.wake.notify_all();
}

}  // namespace warpfiber::engine
