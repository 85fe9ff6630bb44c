// SPDX-License-Identifier: Apache-2.0
// The list of the process. Streams read it without a lock, because it does not change while they have work.
#include "streams/stream_events.hpp"

#include <memory>
#include <vector>

#include "launches/observing/tracing.hpp"
#include "streams/describe.hpp"
#include "streams/kernel_operation.hpp"
#include "streams/state/streams_state.hpp"

namespace warpfiber::streams {
namespace {

using Observers = std::vector<record::StreamObserver*>;

Observers& observers() {
  return StreamsState::of_process().stream_observers.get(
      [] { return std::make_unique<Observers>(launches::stream_observers_of_environment()); });
}

record::StreamOperation event_of(const Stream& stream, const Task& task) {
  return {
      .number = task.request.place.clock.number, .stream = stream.id, .device = stream.device, .what = describe(task)};
}

}  // namespace

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

Error run_observed(Stream& stream, Task& task, Error device) {
  const record::StreamOperation event = event_of(stream, task);
  for (record::StreamObserver* observer : observers()) observer->operation_begins(event);
  const Error error = carry_out(stream, task, device);
  for (record::StreamObserver* observer : observers()) observer->operation_ends(event);
  return error;
}

}  // namespace warpfiber::streams
