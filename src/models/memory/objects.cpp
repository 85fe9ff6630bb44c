// SPDX-License-Identifier: Apache-2.0
// One map from addresses to objects, under one mutex. A freed object stays in it until its addresses are used again
// or thousands of others have been freed.
#include "memory/objects.hpp"

#include <algorithm>
#include <atomic>
#include <deque>
#include <iterator>
#include <map>
#include <string_view>
#include <utility>

#include "base/locks/annotated_mutex.hpp"
#include "memory/device_space.hpp"
#include "memory/memory_state.hpp"
#include "memory/shared_arena.hpp"
#include "record/type_layout.hpp"

namespace warpfiber::memory {

constinit std::atomic<std::uint64_t> object_changes{0};

namespace {

// As many as ranges of addresses wait for their next owner.
constexpr std::size_t kMostFreed = 4096;
constexpr std::size_t kNear = 4096;

}  // namespace

struct ObjectEntry {
  std::size_t bytes;
  Birth birth;
  bool freed = false;
  const void* freed_by = nullptr;
  std::uint64_t number = 0;  // of the change that made it
};

using Entries = std::map<const char*, ObjectEntry>;

struct ObjectRegistry {
  base::Mutex mutex;
  Entries entries WARPFIBER_GUARDED_BY(mutex);  // they do not overlap
  std::deque<std::pair<const char*, std::uint64_t>> freed WARPFIBER_GUARDED_BY(mutex);
};

namespace {

ObjectRegistry& all_objects() {
  return MemoryState::of_process().objects.get();
}

Object object_of(const char* base, const ObjectEntry& entry) {
  const Birth& birth = entry.birth;
  Object made{.base = base,
              .bytes = entry.bytes,
              .kind = birth.kind,
              .freed = entry.freed,
              .initialised = birth.initialised,
              .device = birth.device,
              .made_by = birth.made_by,
              .freed_by = entry.freed_by};
  if (birth.declared != nullptr) {
    made.name = birth.declared->name;
    made.type = birth.declared->type;
    made.type_pointer = birth.declared->type_pointer;
    made.file = birth.declared->file;
    made.line = birth.declared->line;
  }
  return made;
}

/// An object of nothing still has an address.
std::size_t extent(const ObjectEntry& entry) {
  return std::max<std::size_t>(entry.bytes, 1);
}

/// The last entry that begins at `place` or before.
Entries::iterator before(Entries& entries, const char* place) {
  const auto after = entries.upper_bound(place);
  return after == entries.begin() ? entries.end() : std::prev(after);
}

Entries::iterator containing(Entries& entries, const char* place) {
  const auto found = before(entries, place);
  const bool inside = found != entries.end() && place < found->first + extent(found->second);
  return inside ? found : entries.end();
}

void forget(Entries& entries, const char* base, std::size_t bytes) {
  if (const auto first = containing(entries, base); first != entries.end()) entries.erase(first);
  entries.erase(entries.lower_bound(base), entries.lower_bound(base + std::max<std::size_t>(bytes, 1)));
}

Freeing answer_for(const Entries& entries, Entries::const_iterator found, const char* from,
                   std::optional<ObjectKind> only) {
  if (found == entries.end()) return Freeing::unknown;
  const ObjectEntry& entry = found->second;
  if (only.has_value() && entry.birth.kind != *only) return Freeing::unknown;
  if (entry.freed) return Freeing::twice;
  return found->first == from ? Freeing::done : Freeing::inside;
}

/// Bytes between an address and an object that does not contain it.
std::size_t distance(const char* place, const char* base, std::size_t bytes) {
  return static_cast<std::size_t>(place < base ? base - place : place - (base + bytes) + 1);
}

/// Of a live and a freed object that are equally near, the live one.
bool nearer(const char* place, const Entries::value_type& a, const Entries::value_type& b) {
  const std::pair of_a(distance(place, a.first, a.second.bytes), a.second.freed);
  const std::pair of_b(distance(place, b.first, b.second.bytes), b.second.freed);
  return of_a < of_b;
}

}  // namespace

void forget_objects(const void* base, std::size_t bytes) {
  ObjectRegistry& all = all_objects();
  const base::Lock lock(all.mutex);
  forget(all.entries, static_cast<const char*>(base), bytes);
}

void add_object(const void* base, std::size_t bytes, const Birth& birth) {
  const char* from = static_cast<const char*>(base);
  ObjectRegistry& all = all_objects();
  const base::Lock lock(all.mutex);
  forget(all.entries, from, bytes);
  const std::uint64_t number = object_changes.fetch_add(1) + 1;
  all.entries.emplace(from, ObjectEntry{bytes, birth, false, nullptr, number});
}

Freeing free_object(const void* base, const void* freed_by, std::optional<ObjectKind> only) {
  const char* from = static_cast<const char*>(base);
  ObjectRegistry& all = all_objects();
  const base::Lock lock(all.mutex);
  const auto found = containing(all.entries, from);
  const Freeing answer = answer_for(all.entries, found, from, only);
  if (answer != Freeing::done) return answer;
  ObjectEntry& entry = found->second;
  entry.freed = true;
  entry.freed_by = freed_by;
  object_changes.fetch_add(1);
  all.freed.emplace_back(from, entry.number);
  if (all.freed.size() <= kMostFreed) return Freeing::done;
  const auto oldest = all.entries.find(all.freed.front().first);
  if (oldest != all.entries.end() && oldest->second.number == all.freed.front().second) all.entries.erase(oldest);
  all.freed.pop_front();
  return Freeing::done;
}

Freeing freeing_of(const void* base, std::optional<ObjectKind> only) {
  const char* from = static_cast<const char*>(base);
  ObjectRegistry& all = all_objects();
  const base::Lock lock(all.mutex);
  return answer_for(all.entries, containing(all.entries, from), from, only);
}

void remove_object(const void* base) {
  ObjectRegistry& all = all_objects();
  const base::Lock lock(all.mutex);
  object_changes.fetch_add(all.entries.erase(static_cast<const char*>(base)));
}

std::optional<Object> object_at(const void* address) {
  {
    ObjectRegistry& all = all_objects();
    const base::Lock lock(all.mutex);
    const auto found = containing(all.entries, static_cast<const char*>(address));
    if (found != all.entries.end()) return object_of(found->first, found->second);
  }
  return in_device_space(address) ? shared_object_at(address) : std::nullopt;
}

AddressRange range_around(const void* address) {
  const char* place = static_cast<const char*>(address);
  ObjectRegistry& all = all_objects();
  const base::Lock lock(all.mutex);
  const auto last = before(all.entries, place);
  AddressRange found;
  if (last != all.entries.end()) {
    found = {last->first, last->first + extent(last->second), last->second.birth.kind, last->second.freed};
    if (place < found.end) return found;
    found = {.begin = found.end};
  }
  const auto next = all.entries.upper_bound(place);
  found.end = next != all.entries.end() ? next->first : reinterpret_cast<const char*>(~std::uintptr_t{0});
  return found;
}

std::optional<Object> nearest_object(const void* address) {
  const bool in_space = in_device_space(address);
  if (in_space) {
    if (auto shared = nearest_shared_object(address)) return shared;
  }
  const char* place = static_cast<const char*>(address);
  ObjectRegistry& all = all_objects();
  const base::Lock lock(all.mutex);
  auto best = before(all.entries, place);
  if (best != all.entries.end() && place < best->first + extent(best->second)) {
    return object_of(best->first, best->second);
  }
  const auto after = all.entries.upper_bound(place);
  if (after != all.entries.end() && (best == all.entries.end() || nearer(place, *after, *best))) best = after;
  if (best == all.entries.end()) return std::nullopt;
  const bool is_near = distance(place, best->first, best->second.bytes) <= kNear;
  const bool fits = in_space ? in_device_space(best->first) : is_near;
  return fits ? std::optional(object_of(best->first, best->second)) : std::nullopt;
}

std::vector<Object> live_objects(ObjectKind kind, std::optional<int> device) {
  ObjectRegistry& all = all_objects();
  const base::Lock lock(all.mutex);
  std::vector<Object> found;
  for (const auto& [base, entry] : all.entries) {
    const bool wanted =
        !entry.freed && entry.birth.kind == kind && entry.birth.device == device.value_or(entry.birth.device);
    if (wanted) found.push_back(object_of(base, entry));
  }
  return found;
}

namespace {

/// A type as the program has it: without the function around it, which the translator makes a lambda of, and without
/// the name that the translator gives a type that has none (src/compiler/translate/shared_variables.cpp).
std::string as_written(std::string type) {
  constexpr std::string_view kLambdaEnds = ")>::";
  if (const std::size_t end = type.rfind(kLambdaEnds); end != std::string::npos) {
    const std::string around = type.substr(0, end + kLambdaEnds.size());
    const bool whole = std::ranges::count(around, '<') == std::ranges::count(around, '>');
    if (whole && around.find("<lambda(") != std::string::npos) type.erase(0, around.size());
  }
  constexpr std::string_view kGiven = "_shared_body";
  const std::size_t given = type.find(kGiven);
  if (given != std::string::npos) type.replace(0, given + kGiven.size(), "unnamed type");
  return type;
}

}  // namespace

std::string type_in(const char* text) {
  constexpr std::string_view kBefore = "[T = ";
  constexpr std::string_view kBeforeOfGcc = "[with T = ";
  const std::string_view all = text == nullptr ? "" : text;
  std::size_t begin = all.find(kBefore);
  std::size_t length = kBefore.size();
  if (begin == std::string_view::npos) {
    begin = all.find(kBeforeOfGcc);
    length = kBeforeOfGcc.size();
  }
  if (begin == std::string_view::npos || !all.ends_with(']')) return {};
  return record::usual_spelling(as_written(std::string(all.substr(begin + length, all.size() - 1 - begin - length))));
}

// Keeps the end of each zone in a map by its beginning, under a mutex. They are asked for only when an access lies
// outside of all objects.

struct RedZones {
  base::Mutex mutex;
  std::map<const char*, const char*> ends WARPFIBER_GUARDED_BY(mutex);  // by where each begins
};

namespace {

RedZones& all_zones() {
  return MemoryState::of_process().red_zones.get();
}

}  // namespace

void add_red_zone(const void* begin, std::size_t bytes, const void* end) {
  constexpr std::size_t kMostBehind = 256;  // what registers the variables of one declaration, and alignment
  const char* const from = static_cast<const char*>(begin);
  const char* const to = static_cast<const char*>(end);
  const bool in_order = to >= from + bytes && to <= from + bytes + kMostBehind;
  RedZones& all = all_zones();
  const base::Lock lock(all.mutex);
  all.ends[from] = in_order ? to : from + bytes;
}

void remove_red_zones(const void* begin, const void* end) {
  RedZones& all = all_zones();
  const base::Lock lock(all.mutex);
  all.ends.erase(all.ends.lower_bound(static_cast<const char*>(begin)),
                 all.ends.lower_bound(static_cast<const char*>(end)));
}

bool in_red_zone(const void* address) {
  const auto* at = static_cast<const char*>(address);
  RedZones& all = all_zones();
  const base::Lock lock(all.mutex);
  const auto after = all.ends.upper_bound(at);
  if (after == all.ends.begin()) return false;
  return at < std::prev(after)->second;
}

}  // namespace warpfiber::memory
