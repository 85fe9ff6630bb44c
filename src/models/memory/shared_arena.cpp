// SPDX-License-Identifier: Apache-2.0
//
// Collects all static shared variables of the program in one layout before main, then maps an arena for each resident
// block. Arenas register themselves, so that an address leads to its block and its variable.
#include "memory/shared_arena.hpp"

#include <warpfiber/detail/shared_variable.hpp>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/locks/annotated_mutex.hpp"
#include "memory/device_space.hpp"
#include "memory/memory_state.hpp"

namespace warpfiber::memory {

using ::warpfiber::detail::SharedDeclaration;
using ::warpfiber::detail::SharedVariable;

namespace {

// Wide enough for any vector access, and a cache line, so that two variables never share one.
constexpr std::size_t kVariableAlignment = 128;
// What bulk copies of tensors ask of their tiles, and what the dynamic part of a kernel has on devices that declares no
// static variables.
constexpr std::size_t kDynamicAlignment = 1024;
// At least this much lies between two objects.
constexpr std::size_t kVariableRedZone = 16;
constexpr std::string_view kTagSuffix = "_shared_tag";

}  // namespace

struct Placed {
  std::string_view tag;
  SharedVariable variable;
  SharedDeclaration declaration;
  std::size_t alignment;
};

struct LayoutUnderConstruction {
  base::Mutex mutex;
  SharedLayout layout WARPFIBER_GUARDED_BY(mutex){0, 1};   // index 0 means: not registered yet
  std::vector<Placed> placed WARPFIBER_GUARDED_BY(mutex);  // by offset
  // What they are called and where they are declared: a library may be unloaded, and its variables keep their places.
  std::set<std::string, std::less<>> texts WARPFIBER_GUARDED_BY(mutex);
};

namespace {

LayoutUnderConstruction& under_construction() {
  return MemoryState::of_process().shared_layout.get();
}

const char* kept(LayoutUnderConstruction& place, const char* text) WARPFIBER_REQUIRES(place.mutex) {
  return text == nullptr ? nullptr : place.texts.emplace(text).first->c_str();
}

}  // namespace

/// Of all blocks: base and arena.
struct Arenas {
  base::Mutex mutex;
  std::map<const char*, const SharedArena*> live WARPFIBER_GUARDED_BY(mutex);
};

namespace {

Arenas& arenas() {
  return MemoryState::of_process().shared_arenas.get();
}

/// What `T, Tag` of a description calls the tag, as WARPFIBER_SHARED makes it of the variable's name.
std::string name_in(const char* description) {
  const std::string_view all = description;
  const std::size_t at = all.find("Tag = ");
  if (at == std::string_view::npos) return {};
  std::string_view tag = all.substr(at + 6);
  tag = tag.substr(0, tag.find_last_not_of(']') + 1);
  if (const std::size_t scope = tag.rfind("::"); scope != std::string_view::npos) tag.remove_prefix(scope + 2);
  if (tag.ends_with(kTagSuffix)) tag.remove_suffix(kTagSuffix.size());
  return std::string(tag);
}

std::string name_of(const Placed& placed) {
  return placed.declaration.name != nullptr ? placed.declaration.name : name_in(placed.variable.description);
}

Object object_of(const Placed& placed, const char* base) {
  const SharedDeclaration& declared = placed.declaration;
  return {.base = base + placed.variable.offset,
          .bytes = placed.variable.bytes,
          .kind = ObjectKind::shared,
          .device = -1,
          .name = name_of(placed),
          .type = type_in(declared.type.text),
          .type_pointer = declared.type.pointer,
          .file = declared.file != nullptr ? declared.file : "",
          .line = declared.line,
          .alignment = placed.alignment};
}

bool contains(const Object& object, const char* place) {
  return place >= object.base && place < object.base + object.bytes;
}

std::size_t distance(const Object& object, const char* place) {
  if (contains(object, place)) return 0;
  return static_cast<std::size_t>(place < object.base ? object.base - place : place - (object.base + object.bytes) + 1);
}

/// Calls ask(arena) for the block's memory whose pages the address lies in.
template <class Ask>
auto in_arena(const void* address, Ask&& ask) -> decltype(ask(std::declval<const SharedArena&>())) {
  Arenas& all = arenas();
  const base::Lock lock(all.mutex);
  const auto after = all.live.upper_bound(static_cast<const char*>(address));
  if (after == all.live.begin()) return std::nullopt;
  const SharedArena& arena = *std::prev(after)->second;
  return arena.owns(address) ? ask(arena) : std::nullopt;
}

}  // namespace

void poison(void* memory, std::size_t bytes) {
  char* to = static_cast<char*>(memory);
  std::size_t done = 0;
  for (; done + sizeof kPoisonWord <= bytes; done += sizeof kPoisonWord)
    std::memcpy(to + done, &kPoisonWord, sizeof kPoisonWord);
  std::memcpy(to + done, &kPoisonWord, bytes - done);
}

SharedLayout shared_layout() {
  LayoutUnderConstruction& place = under_construction();
  const base::Lock lock(place.mutex);
  return place.layout;
}

std::size_t shared_bytes_tagged(std::string_view prefix) {
  LayoutUnderConstruction& place = under_construction();
  const base::Lock lock(place.mutex);
  std::size_t bytes = 0;
  for (const Placed& each : place.placed) bytes += each.tag.starts_with(prefix) ? each.variable.bytes : 0;
  return bytes;
}

std::vector<SharedStatic> shared_statics(std::string_view name) {
  LayoutUnderConstruction& place = under_construction();
  const base::Lock lock(place.mutex);
  std::vector<SharedStatic> found;
  for (const Placed& each : place.placed) {
    if (name_of(each) != name) continue;
    found.push_back(
        {each.variable.index, each.variable.offset, each.variable.bytes, each.declaration.type.pointer, each.tag});
  }
  return found;
}

SharedArena::~SharedArena() {
  release();
}

void SharedArena::release() {
  if (base_ == nullptr) return;
  {
    Arenas& all = arenas();
    const base::Lock lock(all.mutex);
    all.live.erase(base_);
  }
  give_back(base_, taken_);
  base_ = nullptr;
  taken_ = 0;
}

void SharedArena::exchange_for_rested(SharedArena& other) {
  Arenas& all = arenas();
  const base::Lock lock(all.mutex);
  std::swap(base_, other.base_);
  std::swap(taken_, other.taken_);
  std::swap(touched_, other.touched_);
  std::swap(dynamic_offset_, other.dynamic_offset_);
  std::swap(end_, other.end_);
  other.rests_ = true;
  if (base_ != nullptr) all.live.insert_or_assign(base_, this);
  if (other.base_ != nullptr) all.live.insert_or_assign(other.base_, &other);
}

bool SharedArena::reserve(std::size_t dynamic) {
  const SharedLayout layout = shared_layout();
  const std::size_t statics = round_up(layout.bytes + kVariableRedZone, kDynamicAlignment);
  const std::size_t wanted = statics + dynamic + kVariableRedZone;
  if (wanted < dynamic) return false;
  if (wanted > taken_) {
    release();
    char* base = take(wanted);
    if (base == nullptr) return false;
    forget_objects(base, wanted);
    base_ = base;
    taken_ = wanted;
    touched_.clear();
  } else if (dynamic_offset_ == statics && end_ == statics + dynamic) {
    return true;
  }
  touched_.resize(layout.variables);
  Arenas& all = arenas();
  const base::Lock lock(all.mutex);
  dynamic_offset_ = statics;
  end_ = statics + dynamic;
  all.live.insert_or_assign(base_, this);
  return true;
}

bool SharedArena::contains(const void* address) const {
  const char* place = static_cast<const char*>(address);
  return place >= base_ && place < base_ + end_;
}

bool SharedArena::owns(const void* address) const {
  const char* place = static_cast<const char*>(address);
  return place >= base_ && place < base_ + whole_pages(taken_);
}

std::optional<Object> SharedArena::object_at(const void* address) const {
  auto found = nearest_object(address);
  const bool inside = found.has_value() && memory::contains(*found, static_cast<const char*>(address));
  return inside ? found : std::nullopt;
}

std::optional<Object> SharedArena::nearest_object(const void* address) const {
  const char* place = static_cast<const char*>(address);
  std::optional<Object> best;
  const auto consider = [&best, place](Object object) {
    if (object.bytes == 0) return;
    if (!best.has_value() || distance(object, place) < distance(*best, place)) best = std::move(object);
  };
  consider({.base = dynamic(), .bytes = end_ - dynamic_offset_, .kind = ObjectKind::dynamic_shared, .device = -1});
  LayoutUnderConstruction& layout = under_construction();
  const base::Lock lock(layout.mutex);
  const auto after = std::upper_bound(layout.placed.begin(), layout.placed.end(), place - base_,
                                      [](std::ptrdiff_t offset, const Placed& each) {
                                        return offset < static_cast<std::ptrdiff_t>(each.variable.offset);
                                      });
  // Variables without bytes are nobody's neighbours.
  const auto has_bytes = [](const Placed& each) { return each.variable.bytes != 0; };
  const auto next = std::find_if(after, layout.placed.end(), has_bytes);
  const auto last = std::find_if(std::make_reverse_iterator(after), layout.placed.rend(), has_bytes);
  if (last != layout.placed.rend()) consider(object_of(*last, base_));
  if (next != layout.placed.end() && next->variable.offset < dynamic_offset_) consider(object_of(*next, base_));
  // A launch without dynamic shared memory whose kernel uses it: at its beginning first.
  const bool no_dynamic = end_ == dynamic_offset_ && place >= dynamic();
  if (no_dynamic && (place == dynamic() || !best.has_value()))
    return Object{.base = dynamic(), .kind = ObjectKind::dynamic_shared, .device = -1};
  return best;
}

std::vector<Object> SharedArena::objects() const {
  std::vector<Object> found;
  if (end_ != dynamic_offset_)
    found.push_back(
        {.base = dynamic(), .bytes = end_ - dynamic_offset_, .kind = ObjectKind::dynamic_shared, .device = -1});
  LayoutUnderConstruction& layout = under_construction();
  const base::Lock lock(layout.mutex);
  for (const Placed& each : layout.placed) {
    if (each.variable.bytes != 0 && each.variable.offset < dynamic_offset_) found.push_back(object_of(each, base_));
  }
  return found;
}

std::optional<Object> shared_object_at(const void* address) {
  return in_arena(address, [address](const SharedArena& arena) { return arena.object_at(address); });
}

std::optional<Object> nearest_shared_object(const void* address) {
  return in_arena(address, [address](const SharedArena& arena) { return arena.nearest_object(address); });
}

bool is_rested_shared(const void* address) {
  const auto found = in_arena(address, [](const SharedArena& arena) { return std::optional(arena.rests()); });
  return found.value_or(false);
}

}  // namespace warpfiber::memory

namespace warpfiber::detail {

SharedVariable register_shared(std::size_t bytes, std::size_t alignment, const char* description, const char* tag,
                               const SharedDeclaration& declaration) {
  using namespace warpfiber::memory;
  LayoutUnderConstruction& place = under_construction();
  const base::Lock lock(place.mutex);
  SharedLayout& layout = place.layout;
  const std::size_t offset = round_up(layout.bytes + kVariableRedZone, std::max(alignment, kVariableAlignment));
  layout.bytes = offset + bytes;
  const SharedVariable variable{layout.variables++, offset, bytes, kept(place, description)};
  SharedDeclaration declared = declaration;
  declared.name = kept(place, declared.name);
  declared.type.text = kept(place, declared.type.text);
  declared.file = kept(place, declared.file);
  place.placed.push_back({kept(place, tag != nullptr ? tag : ""), variable, declared, alignment});
  return variable;
}

}  // namespace warpfiber::detail
