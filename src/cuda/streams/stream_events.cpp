// SPDX-License-Identifier: Apache-2.0
// The list of the process. Streams read it without a lock, because it does not change while they have work.
#include "streams/stream_events.hpp"

#include <memory>
#include <vector>

#include "streams/state/streams_state.hpp"

namespace warpfiber::streams {
namespace {

using record::StreamOperationKind;

using Observers = std::vector<record::StreamObserver*>;

Observers& observers() {
  return StreamsState::of_process().stream_observers.get([] {
    const auto first = StreamsState::of_process().first_observers.load(std::memory_order_acquire);
    return std::make_unique<Observers>(first != nullptr ? first() : Observers{});
  });
}

StreamOperationKind kind_of(Work work) {
  switch (work) {
    case Work::kernel:
    case Work::empty_kernel: return StreamOperationKind::kernel;
    case Work::transfer: return StreamOperationKind::transfer;
    case Work::host_function: return StreamOperationKind::host_function;
    case Work::mark: break;
  }
  return StreamOperationKind::marker;
}

record::StreamOperation event_of(const Stream& stream, const Task& task) {
  const Request& request = task.request;
  return {.number = request.place.clock.number,
          .stream = stream.id,
          .device = stream.device,
          .kind = kind_of(work_of(task.operation)),
          .call = request.call.function,
          .returns_to = request.call.returns_to,
          .grid = request.grid,
          .block = request.block};
}

}  // namespace

void observe_from_the_start(std::vector<record::StreamObserver*> (*first)()) {
  StreamsState::of_process().first_observers.store(first, std::memory_order_release);
}

void add_stream_observer(record::StreamObserver& observer) {
  observers().push_back(&observer);
}

void remove_stream_observer(record::StreamObserver& observer) {
  std::erase(observers(), &observer);
}

bool are_streams_observed() {
  return !observers().empty();
}

void report_submitted(const Stream& stream, const Task& task) {
  const record::StreamOperation event = event_of(stream, task);
  for (record::StreamObserver* observer : observers()) observer->operation_submitted(event);
}

Error run_observed(const Stream& stream, Task& task, Error device) {
  const record::StreamOperation event = event_of(stream, task);
  for (record::StreamObserver* observer : observers()) observer->operation_begins(event);
  const Error error = task.run(task, device);
  for (record::StreamObserver* observer : observers()) observer->operation_ends(event);
  return error;
}

}  // namespace warpfiber::streams
