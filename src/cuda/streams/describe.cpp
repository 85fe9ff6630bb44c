// SPDX-License-Identifier: Apache-2.0
//
// Reads the data of the operation and the call that asked for it.
#include "streams/describe.hpp"

#include <memory>
#include <variant>

namespace warpfiber::streams {
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
