// SPDX-License-Identifier: Apache-2.0
// Streams end before their memory is freed, and devices before the services that they need. Leaks are the objects that
// are still allocated (memory/objects.hpp), by the line that allocated them.
#include "runtime/reset.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/text.hpp"
#include "device_memory/arrays.hpp"
#include "device_memory/copied_back.hpp"
#include "device_memory/graphics/graphics.hpp"
#include "device_memory/pools.hpp"
#include "device_memory/state/device_memory_state.hpp"
#include "device_memory/table.hpp"
#include "engine/findings/findings.hpp"
#include "launches/kernels/kernel_attributes.hpp"
#include "launches/state/launches_state.hpp"
#include "memory/global_heap.hpp"
#include "memory/kernel_heap.hpp"
#include "memory/objects.hpp"
#include "process/current_device.hpp"
#include "process/devices/settings.hpp"
#include "process/errors.hpp"
#include "process/explain.hpp"
#include "process/findings/findings_log.hpp"
#include "process/findings/host_findings.hpp"
#include "process/process_state.hpp"
#include "process/settings/checking.hpp"
#include "process/variables.hpp"
#include "record/diagnosis.hpp"
#include "runtime/state/runtime_state.hpp"
#include "streams/event.hpp"
#include "streams/scheduler.hpp"
#include "streams/state/streams_state.hpp"
#include "streams/streams.hpp"

namespace warpfiber::runtime {

void release_all(int device) {
  device_memory::forget_graphics(device);
  device_memory::forget_arrays(device);
  device_memory::forget_pools(device);
  memory::forget_heap(device);
  memory::global_heap().give_back_kept();
  device_memory::release_blocks(device);
}

Error reset_device() {
  const int device = process::current_device();
  // What is left of a device that has failed is thrown away.
  if (streams::synchronize_device(device) == Error::success) device_memory::all_managed_goes();
  report_leaks(record::Leak::End::device_reset, device);
  streams::end_streams(device);
  streams::end_events(device);
  process::forget_device_errors(device);
  release_all(device);
  process::forget_settings(device);
  process::reset_variables(device);
  return Error::success;
}

void reset_process() {
  for (int device = 0; device < process::device_count(); ++device) {
    static_cast<void>(process::set_current_device(device));
    static_cast<void>(reset_device());
  }
  static_cast<void>(process::set_current_device(0));
  static_cast<void>(process::take_last_error());
  process::forget_explanation();
  launches::reset_kernel_attributes();
  streams::StreamsState::of_process().reset();  // first: it ends its threads, which use the others
  device_memory::DeviceMemoryState::of_process().reset();
  RuntimeState::of_process().reset();
  launches::LaunchesState::of_process().reset();
  process::ProcessState::of_process().reset();  // last: the session
}

namespace {

using memory::ObjectKind;

constexpr ObjectKind kKinds[] = {ObjectKind::global, ObjectKind::managed, ObjectKind::pinned, ObjectKind::heap};

/// Allocations of one kind that a line has made, or, where no line is known, one call.
using Leaks = std::map<std::tuple<std::string, std::uintptr_t, ObjectKind>, std::vector<memory::Object>>;

bool is_registered(const memory::Object& object) {
  const auto block = device_memory::block_at(object.base);
  return block.has_value() && block->kind == device_memory::MemoryKind::registered;
}

Leaks find_leaks(std::optional<int> device) {
  Leaks leaks;
  std::map<const void*, record::Place> places;
  for (const ObjectKind kind : kKinds) {
    for (memory::Object& object : memory::live_objects(kind, device)) {
      const auto [known, fresh] = places.try_emplace(object.made_by);
      if (fresh) known->second = engine::place_of_call(object.made_by);
      const record::Place& place = known->second;
      const auto number = place.known() ? place.line : reinterpret_cast<std::uintptr_t>(object.made_by);
      leaks[{place.file, number, kind}].push_back(std::move(object));
    }
  }
  return leaks;
}

const char* space_of(const memory::Object& object) {
  switch (object.kind) {
    case ObjectKind::heap: return "heap";
    case ObjectKind::managed: return "managed";
    case ObjectKind::pinned: return is_registered(object) ? "registered" : "pinned";
    default: return "global";
  }
}

record::Leak::Kind kind_of(const memory::Object& object) {
  switch (object.kind) {
    case ObjectKind::heap: return record::Leak::Kind::heap;
    case ObjectKind::pinned: return is_registered(object) ? record::Leak::Kind::registered : record::Leak::Kind::pinned;
    default: return record::Leak::Kind::device;
  }
}

record::Finding leak_of(const std::vector<memory::Object>& objects, record::Leak::End end) {
  const memory::Object& first = objects.front();
  std::uint64_t bytes = 0;
  for (const memory::Object& one : objects) bytes += one.bytes;
  record::Finding made =
      process::host_memory_finding(record::Verdict::leak, first.base, {"the allocation", first.made_by});
  made.severity = record::Severity::info;
  made.object->space = space_of(first);
  // Which threads of a kernel have allocated it is not kept.
  if (first.kind == ObjectKind::heap) made.parties.front().who = {};
  made.diagnosis = record::Leak{objects.size(), bytes, kind_of(first), end};
  return made;
}

}  // namespace

void report_leaks(record::Leak::End end, std::optional<int> device) {
  if (!process::check_settings().leak_check) return;
  for (const auto& [call, objects] : find_leaks(device)) process::log_finding(leak_of(objects, end));
}

void note_free(const void* memory) {
  if (memory != nullptr && streams::streams_have_ended()) memory::remove_object(memory);
}

}  // namespace warpfiber::runtime
