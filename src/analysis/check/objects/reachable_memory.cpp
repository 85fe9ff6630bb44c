// SPDX-License-Identifier: Apache-2.0
// Pointers are looked for in the arguments first, then in the memory of all objects that may hold some.
#include "check/objects/reachable_memory.hpp"

#include <algorithm>
#include <cstring>
#include <set>
#include <utility>

#include "base/locks/annotated_mutex.hpp"
#include "check/cells/check_state.hpp"
#include "check/objects/argument_names.hpp"
#include "check/objects/objects.hpp"
#include "memory/objects.hpp"

namespace warpfiber::check {
namespace {

using memory::Object;
using memory::ObjectKind;

// A pointer may stand one past the end.
bool points_into(const char* pointer, const char* base, std::size_t bytes) {
  return pointer >= base && pointer <= base + bytes;
}

bool holds_pointer_into(const Object& object, const char* base, std::size_t bytes) {
  for (std::size_t at = 0; at + sizeof(const char*) <= object.bytes; at += sizeof(const char*)) {
    const char* pointer = nullptr;
    std::memcpy(&pointer, object.base + at, sizeof pointer);
    if (points_into(pointer, base, bytes)) return true;
  }
  return false;
}

}  // namespace

struct ArrayHandles {
  base::Mutex mutex;
  std::multiset<const char*> bases WARPFIBER_GUARDED_BY(mutex);  // once for each handle
};

namespace {

ArrayHandles& handles() {
  return CheckState::of_process().array_handles.get();
}

bool has_handle(const char* base) {
  ArrayHandles& all = handles();
  const base::Lock lock(all.mutex);
  return all.bases.contains(base);
}

}  // namespace

void reach_by_handle(const void* base) {
  ArrayHandles& all = handles();
  const base::Lock lock(all.mutex);
  all.bases.insert(static_cast<const char*>(base));
}

void forget_handle(const void* base) {
  ArrayHandles& all = handles();
  const base::Lock lock(all.mutex);
  const auto found = all.bases.find(static_cast<const char*>(base));
  if (found != all.bases.end()) all.bases.erase(found);
}

void ReachableMemory::begin(const void* arguments, std::size_t bytes, const void* kernel) {
  known_ = arguments != nullptr && bytes != 0;
  const auto* from = static_cast<const char*>(arguments);
  arguments_ = from;
  bytes_ = bytes;
  kernel_ = kernel;
  for (std::size_t at = 0; known_ && at + sizeof(const char*) <= bytes; at += kStride) {
    const char* pointer = nullptr;
    std::memcpy(&pointer, from + at, sizeof pointer);
    pointers_.push_back(pointer);
  }
}

std::optional<std::uint64_t> ReachableMemory::pointers_apart(const char* base, const char* at) const {
  std::vector<const char*> found;
  // Every second one: an argument that is a pointer is aligned as such.
  for (std::size_t i = 0; i < pointers_.size(); i += 2) {
    if (pointers_[i] >= base && pointers_[i] <= at) found.push_back(pointers_[i]);
  }
  if (found.size() < 2) return std::nullopt;
  const auto [low, high] = std::ranges::minmax(found);
  return static_cast<std::uint64_t>(high - low);
}

bool ReachableMemory::given(const char* base, std::size_t bytes) {
  if (!known_ || std::ranges::find(given_, base) != given_.end()) return true;
  const auto into = [&](const char* pointer) { return points_into(pointer, base, bytes); };
  bool found = std::ranges::any_of(pointers_, into) || has_handle(base);
  constexpr ObjectKind kHolders[] = {ObjectKind::variable, ObjectKind::constant, ObjectKind::managed,
                                     ObjectKind::pinned,   ObjectKind::heap,     ObjectKind::global};
  for (const ObjectKind kind : kHolders) {
    if (found) break;
    const std::vector<Object> objects = memory::live_objects(kind);
    found = std::ranges::any_of(
        objects, [&](const Object& object) { return object.base != base && holds_pointer_into(object, base, bytes); });
  }
  if (found) given_.push_back(base);
  return found;
}

// Shared arrays were noted with the violation; the rest is where pointers lead that the kernel can name.

std::vector<MemoryPlace> named_places(const Violation& outside, const ReachableMemory& reach) {
  std::vector<MemoryPlace> places = outside.shared;
  // Other kernels have shared variables, too: a name that is a parameter's means the parameter.
  for (const ArgumentPart& parameter : parameters_of(reach)) {
    std::erase_if(places, [&parameter](const MemoryPlace& place) { return place.name == parameter.name; });
  }
  std::vector<const char*> within = named_pointers(reach);
  for (const memory::ObjectKind kind :
       {memory::ObjectKind::variable, memory::ObjectKind::constant, memory::ObjectKind::managed}) {
    for (const memory::Object& variable : memory::live_objects(kind)) within.push_back(variable.base);
  }
  std::vector<std::uint64_t> offsets;
  for (const char* pointer : within) {
    MemoryPlace place = place_within(outside.address, pointer);
    const bool is_new = place.space == Space::global && std::ranges::find(offsets, place.offset) == offsets.end();
    if (!is_new) continue;
    offsets.push_back(place.offset);
    places.push_back(std::move(place));
  }
  return places;
}

}  // namespace warpfiber::check
