// SPDX-License-Identifier: Apache-2.0
// The list of the process. Streams read it without a lock, because it does not change while they have work. Facts come
// from the data of the operation and the call that asked for it.
#include "streams/stream_events.hpp"

#include <memory>
#include <variant>
#include <vector>

#include "launches/observing/tracing.hpp"
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

namespace {

using record::OperationKind;

struct KindAndBytes {
  OperationKind kind;
  std::uint64_t bytes = 0;
};

struct Describes {
  KindAndBytes operator()(const MarkOperation&) const { return {OperationKind::marker}; }
  KindAndBytes operator()(const EmptyKernelOperation&) const { return {OperationKind::kernel}; }
  KindAndBytes operator()(const std::shared_ptr<KernelOperation>&) const { return {OperationKind::kernel}; }
  KindAndBytes operator()(const CopyOperation& copy) const { return {OperationKind::copy, copy.box.bytes()}; }
  KindAndBytes operator()(const FillOperation& fill) const { return {OperationKind::fill, fill.box.bytes()}; }
  KindAndBytes operator()(const AllocationOperation& made) const { return {OperationKind::allocation, made.bytes}; }
  KindAndBytes operator()(const FreeOperation&) const { return {OperationKind::free}; }
  KindAndBytes operator()(const PlacementOperation& placed) const { return {OperationKind::placement, placed.bytes}; }
  KindAndBytes operator()(const LibraryOperation&) const { return {OperationKind::library_function}; }
  KindAndBytes operator()(const HostFunctionOperation&) const { return {OperationKind::host_function}; }
};

}  // namespace

record::OperationFacts describe(const Task& task) {
  const Request& request = task.request;
  const KindAndBytes data = std::visit(Describes{}, task.operation);
  return {.kind = data.kind,
          .call = request.call.function,
          .returns_to = request.call.returns_to,
          .grid = request.grid,
          .block = request.block,
          .bytes = data.bytes};
}

}  // namespace warpfiber::streams
