// SPDX-License-Identifier: Apache-2.0
// Puts together what workers have recorded, and thins out what is too much for the process.
#include "trace/trace.hpp"

#include <algorithm>
#include <utility>

#include "base/locks/annotated_mutex.hpp"

namespace warpfiber::trace {

OperationTrace* Trace::find(const record::StreamOperation& operation) {
  const auto open = open_operations_.find(operation.number);
  return open == open_operations_.end() ? nullptr : &operations_[open->second];
}

void Trace::operation_submitted(const record::StreamOperation& operation) {
  const TraceStep step = next_step();
  if (operation.number == 0) return;  // a marker
  const base::Lock lock(mutex_);
  if (operations_.size() == kOperations) {
    ++left_out_operations_;
    return;
  }
  open_operations_[operation.number] = operations_.size();
  operations_.push_back({.operation = operation, .submitted = step});
}

void Trace::operation_begins(const record::StreamOperation& operation) {
  const TraceStep step = next_step();
  const base::Lock lock(mutex_);
  if (OperationTrace* const known = find(operation)) known->begin = step;
}

void Trace::operation_ends(const record::StreamOperation& operation) {
  const TraceStep step = next_step();
  const base::Lock lock(mutex_);
  OperationTrace* const known = find(operation);
  if (known == nullptr) return;
  known->end = step;
  open_operations_.erase(operation.number);
}

LaunchTrace* Trace::launch_of(LaunchTrace&& launch) {
  for (auto known = launches_.rbegin(); known != launches_.rend(); ++known) {
    if (launch.number != 0 && known->number == launch.number) {
      known->begin = std::min(known->begin, launch.begin);
      known->end = std::max(known->end, launch.end);
      if (known->found.empty()) known->found = std::move(launch.found);
      return &*known;
    }
  }
  if (launches_.size() == kLaunches) return nullptr;
  return &launches_.emplace_back(std::move(launch));
}

void Trace::thin(WorkerTrace& worker, bool found_any) {
  std::size_t events = 0;
  for (const BlockTrace& block : worker.blocks) {
    events += block.events.size();
    for (const WatchedValues& values : block.watched) {
      for (const WatchedSample& sample : values.samples) events += sample.changes.size();
    }
  }
  if (kept_events_ + events > (found_any ? 2 : 1) * kKeptEvents) {
    worker.left_out_blocks += worker.blocks.size();
    worker.blocks.clear();
  } else {
    kept_events_ += events;
  }
  const std::size_t room = kKeptResidencies - std::min(kKeptResidencies, kept_residencies_);
  if (worker.residencies.size() > room) {
    worker.left_out_residencies += worker.residencies.size() - room;
    worker.residencies.resize(room);
  }
  kept_residencies_ += worker.residencies.size();
}

void Trace::add(LaunchTrace&& launch, WorkerTrace&& worker) {
  const base::Lock lock(mutex_);
  LaunchTrace* const known = launch_of(std::move(launch));
  if (known == nullptr) {
    ++left_out_launches_;
    return;
  }
  if (worker.worker != 0 && worker.residencies.empty()) return;  // it came when all blocks had others
  thin(worker, !known->found.empty());
  known->workers.push_back(std::move(worker));
}

}  // namespace warpfiber::trace
