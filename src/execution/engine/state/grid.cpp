// SPDX-License-Identifier: Apache-2.0
// What any thread may ask of a launch, and how it ends before its threads have.
#include "engine/state/grid.hpp"

#include <algorithm>

#include "base/index.hpp"
#include "base/locks/annotated_mutex.hpp"
#include "engine/state/engine_state.hpp"
#include "engine/state/worker_state.hpp"
#include "step/state.hpp"

namespace warpfiber::engine {

Grid::Grid(const GridRequest& wanted)
    : request(wanted),
      blocks(base::volume(wanted.grid)),
      threads(static_cast<unsigned>(base::volume(wanted.block))),
      cluster_blocks(static_cast<unsigned>(base::volume(wanted.cluster))),
      number(EngineState::of_process().begun_launches.fetch_add(1) + 1),
      clusters(blocks / cluster_blocks),
      most_places(std::min(wanted.resident_blocks / cluster_blocks, clusters)),
      free_places(static_cast<std::int64_t>(wanted.device_share != nullptr ? wanted.granted_places
                                                                           : wanted.resident_blocks / cluster_blocks)),
      held_places(free_places.load()) {}

void Grid::fail(record::Finding found, const WorkerState* on) {
  const base::Lock lock(mutex);
  if (!finding.has_value()) {
    step::announce_failure(found.verdict);
    finding = std::move(found);
    failed_on = on;
  }
  stop.store(true);
  ++events;
  wake.notify_all();
}

void Grid::note_left_out(LeftOutFault fault) {
  const base::Lock lock(mutex);
  left_out_faults.push_back(std::move(fault));
}

void Grid::fail_with_left_out() {
  for (LeftOutFault& fault : left_out_faults) {
    if (finding.has_value()) {
      findings.push_back(std::move(fault.finding));
    } else {
      finding = std::move(fault.finding);
    }
  }
  left_out_faults.clear();
}

void Grid::cancel() {
  const base::Lock lock(mutex);
  cancelled.store(true);
  stop.store(true);
  ++events;
  wake.notify_all();
}

void Grid::receive_places(std::uint64_t places) {
  held_places.fetch_add(static_cast<std::int64_t>(places));
  free_places.fetch_add(static_cast<std::int64_t>(places));
  notify();
}

void Grid::end_time() {
  time_over.store(true);
  const base::Lock lock(mutex);
  ++events;
  wake.notify_all();
}

void Grid::end_as_dead() {
  dead.store(true);
  end_time();
}

bool Grid::is_awake(std::size_t worker) const {
  const base::Lock lock(mutex);
  return workers[worker]->progress() != 0 && !workers[worker]->is_idle;
}

void Grid::notify() {
  if (idle.load() == 0) return;
  const base::Lock lock(mutex);
  ++events;
  wake.notify_all();
}

std::uint64_t Grid::total_progress() const {
  std::uint64_t total = progress_of_ended.load();
  for (const WorkerState* worker : workers) total += worker->progress();
  return total;
}

std::uint64_t Grid::total_gain() const {
  std::uint64_t total = progress_of_ended.load();
  for (const WorkerState* worker : workers) total += worker->gain();
  return total;
}

}  // namespace warpfiber::engine
