// SPDX-License-Identifier: Apache-2.0
//
// Lists the objects that are still allocated (memory/objects.hpp) and groups them by the line that allocated them.
#include "runtime/leaks.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/text.hpp"
#include "device_memory/table.hpp"
#include "engine/findings/findings.hpp"
#include "memory/objects.hpp"
#include "process/findings/findings_log.hpp"
#include "process/findings/host_findings.hpp"
#include "process/settings/checking.hpp"
#include "streams/scheduler.hpp"

namespace warpfiber::runtime {
namespace {

using memory::ObjectKind;

constexpr ObjectKind kKinds[] = {ObjectKind::global, ObjectKind::managed, ObjectKind::pinned, ObjectKind::heap};

/// Allocations of one kind that a line has made; of which nobody knows the line, that one call has made.
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
