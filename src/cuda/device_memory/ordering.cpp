// SPDX-License-Identifier: Apache-2.0
//
// Gives an operation on memory to a stream, waits for it where CUDA's call would, and carries it out when its turn has
// come: the watcher of accesses hears of each before it takes effect.
#include "device_memory/ordering.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>
#include <variant>

#include "base/contract.hpp"
#include "device_memory/accesses.hpp"
#include "device_memory/copied_back.hpp"
#include "device_memory/table.hpp"
#include "memory/host/built_by_host.hpp"
#include "process/current_device.hpp"
#include "process/exploring/determinism.hpp"
#include "process/exploring/results.hpp"
#include "streams/stream_events.hpp"
#include "streams/streams.hpp"

namespace warpfiber::device_memory {

namespace {

using record::LaunchOrder;
using streams::AllocationOperation;
using streams::CopyOperation;
using streams::EmptyKernelOperation;
using streams::FillOperation;
using streams::FillPattern;
using streams::FreeOperation;
using streams::HostFunctionOperation;
using streams::KernelOperation;
using streams::LibraryOperation;
using streams::MarkOperation;
using streams::PlacementOperation;

/// A free in another stream, which nothing orders behind the command, may come first.
bool is_gone(const process::CopyPlace& place) {
  return place.at != nullptr && !place.array && !block_at(place.at).has_value() && was_freed(place.at);
}

void copy_box(const CopyOperation& copy) {
  const bool carries_tables = copy.to_accessors != copy.from_accessors || copy.to_accessors == memory::Accessors::both;
  copy.box.for_each_row([&](std::size_t y, std::size_t z) {
    char* const row = copy.to.row(y, z);
    if (carries_tables) {
      memory::copy_with_tables(row, copy.to_accessors, copy.from.row(y, z), copy.from_accessors, copy.box.width);
    } else {
      std::memmove(row, copy.from.row(y, z), copy.box.width);
    }
  });
}

void fill_box(const process::CopyPlace& to, const process::Box& box, const FillPattern& pattern) {
  box.for_each_row([&](std::size_t y, std::size_t z) {
    char* const row = to.row(y, z);
    if (pattern.bytes == 1) {
      std::memset(row, static_cast<int>(pattern.value), box.width);
    } else {
      for (std::size_t at = 0; at < box.width; at += pattern.bytes)
        std::memcpy(row + at, &pattern.value, pattern.bytes);  // the host is little-endian, as devices are
    }
  });
}

/// False if the memory was freed by then.
bool note_access(const LibraryAccess& access, const streams::Task& task, const LaunchOrder& at) {
  if (is_gone(access.place)) return false;
  if (AccessWatcher* watcher = access_watcher()) {
    const record::OperationFacts what = streams::describe(task);
    watcher->transfer(
        access.writes ? Transfer{access.place, {}, access.box, what} : Transfer{{}, access.place, access.box, what},
        at);
  }
  return true;
}

/// What carries out an operation on memory, by its type.
struct CarriesOut {
  const streams::Task& task;
  const LaunchOrder& order;

  void operator()(CopyOperation& copy) const {
    if (AccessWatcher* watcher = access_watcher())
      watcher->transfer({copy.to, copy.from, copy.box, streams::describe(task)}, order);
    if (is_gone(copy.to) || is_gone(copy.from)) return;
    copy_box(copy);
    if (copy.is_result && process::keeps_results()) process::keep_result(copy.to, copy.from, copy.box, order);
    if (copy.run != nullptr) copy.run->keep_copy(copy.number_in_run, copy.to, copy.box);
    if (copy.number_of_back != 0) {
      keep_copy(copy.number_of_back, copy.to, copy.from, copy.box, order, copy.elements);
    }
  }
  void operator()(FillOperation& fill) const {
    if (AccessWatcher* watcher = access_watcher())
      watcher->transfer({fill.to, {}, fill.box, streams::describe(task)}, order);
    if (!is_gone(fill.to)) fill_box(fill.to, fill.box, fill.pattern);
  }
  void operator()(AllocationOperation& allocation) const {
    AccessWatcher* watcher = allocation.memory != nullptr ? access_watcher() : nullptr;
    if (watcher != nullptr) watcher->allocation_in_stream(allocation.memory, allocation.bytes, order);
  }
  void operator()(FreeOperation& free) const {
    static_cast<void>(note_release_and_free(free.memory, MemoryKind::device, MemoryKind::managed, &order));
  }
  void operator()(LibraryOperation& library) const {
    const auto note = [this](const LibraryAccess& access) { return note_access(access, task, order); };
    if (!std::ranges::all_of(library.accesses, note)) return;
    if (library.further && !std::ranges::all_of(library.further(), note)) return;
    library.work();
  }
  void operator()(PlacementOperation&) const {}
  void operator()(MarkOperation&) const { not_on_memory(); }
  void operator()(EmptyKernelOperation&) const { not_on_memory(); }
  void operator()(std::shared_ptr<KernelOperation>&) const { not_on_memory(); }
  void operator()(HostFunctionOperation&) const { not_on_memory(); }

  static void not_on_memory() { WARPFIBER_CONTRACT(false, "in_stream() takes operations on memory"); }
};

/// The order is known where accesses are watched, else its number is 0.
Error run_in_stream(streams::Task& task, Error device) {
  if (device != Error::success) return Error::success;
  LaunchOrder order;
  order.call = task.request.call.function;
  order.returns_to = task.request.call.returns_to;
  const LaunchOrder known = access_watcher() != nullptr ? streams::order_of(task) : order;
  std::visit(CarriesOut{task, known}, task.operation);
  return Error::success;
}

}  // namespace

Error in_stream(cudaStream_t stream, streams::OperationData operation, Wait wait) {
  auto task = std::make_unique<streams::Task>(std::move(operation), &run_in_stream);
  if (wait == Wait::yes) return streams::submit_and_wait(stream, std::move(task));
  streams::StreamPos mark;
  const Error error = streams::submit(stream, std::move(task), {}, &mark);
  if (wait == Wait::unpromised && error == Error::success) streams::wait_for(mark);
  return error;
}

Error wait_for_device() {
  return streams::synchronize_device(process::current_device());
}

Error device_failure() {
  return streams::enter_call();
}

}  // namespace warpfiber::device_memory
