// SPDX-License-Identifier: Apache-2.0
// Objects come from the registers of room memory, or from a block's shared memory.
#include "check/objects/objects.hpp"

#include <warpfiber/detail/current_thread.hpp>

#include <algorithm>
#include <utility>

#include "check/objects/unwritten.hpp"
#include "memory/global_heap.hpp"

namespace warpfiber::check {
namespace {

using memory::Object;
using memory::ObjectKind;

Space space_of(const Object& object, bool of_peer) {
  if (object.kind != ObjectKind::shared && object.kind != ObjectKind::dynamic_shared) return Space::global;
  return of_peer ? Space::peer_shared : Space::shared;
}

MemoryPlace place_in(Object object, const void* address, bool of_peer) {
  MemoryPlace place;
  place.space = space_of(object, of_peer);
  place.dynamic = object.kind == ObjectKind::dynamic_shared;
  place.constant = object.kind == ObjectKind::constant;
  place.name = place.dynamic ? "dynamic shared memory" : std::move(object.name);
  place.type = std::move(object.type);
  place.type_pointer = object.type_pointer;
  place.file = std::move(object.file);
  place.line = object.line;
  place.made_by = object.made_by;
  place.freed_by = object.freed_by;
  place.offset = static_cast<std::uint64_t>(static_cast<const char*>(address) - object.base);
  place.extent = object.bytes;
  return place;
}

}  // namespace

record::NearAddress near_address(const void* address) {
  if (memory::is_null(address)) return {.is_null = true};
  const auto allocation = memory::global_heap().find(address);
  if (!allocation.has_value()) return {};
  return {.allocation = reinterpret_cast<std::uintptr_t>(allocation->base),
          .allocation_bytes = allocation->bytes,
          .offset = static_cast<const char*>(address) - static_cast<const char*>(allocation->base)};
}

std::optional<ObjectView> object_at(const void* address, const memory::SharedArena* arena) {
  const std::optional<Object> found = arena != nullptr ? arena->object_at(address) : memory::object_at(address);
  if (!found.has_value()) return std::nullopt;
  const bool written = found->initialised || host_writes().contain(found->base, found->bytes);
  return ObjectView{found->base, found->bytes, found->kind, found->freed, written};
}

bool is_shared_of_other_block(const void* address, const memory::SharedArena* arena) {
  const std::optional<Object> found = arena != nullptr ? arena->object_at(address) : memory::object_at(address);
  if (!found.has_value() || space_of(*found, false) != Space::shared) return false;
  const detail::Block* running = detail::current_thread.block;
  if (arena == nullptr) return true;
  if (running == nullptr || arena->base() != running->shared || found->kind != ObjectKind::shared) return false;
  // A thread that comes to the declaration of a variable touches it for its block.
  return std::ranges::none_of(memory::shared_statics(found->name), [&](const memory::SharedStatic& variable) {
    return arena->base() + variable.offset == found->base && arena->touched_by(variable.index) == running->serial;
  });
}

std::vector<MemoryPlace> shared_places(const void* address, const memory::SharedArena& arena) {
  std::vector<MemoryPlace> places;
  for (Object& object : arena.objects()) places.push_back(place_in(std::move(object), address, false));
  return places;
}

MemoryPlace place_within(const void* address, const void* within) {
  std::optional<Object> found = memory::object_at(within);
  return found.has_value() ? place_in(std::move(*found), address, false) : MemoryPlace{};
}

MemoryPlace describe(const void* address, const memory::SharedArena* arena, bool of_peer) {
  std::optional<Object> found = arena != nullptr ? arena->nearest_object(address) : memory::nearest_object(address);
  if (found.has_value()) return place_in(std::move(*found), address, of_peer);
  return {.space = arena == nullptr ? Space::global : of_peer ? Space::peer_shared : Space::shared};
}

}  // namespace warpfiber::check
