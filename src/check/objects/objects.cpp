// SPDX-License-Identifier: Apache-2.0
// Objects come from the registers of room memory, or from a block's shared memory.
#include "check/objects/objects.hpp"

#include <utility>

#include "check/objects/host_writes.hpp"

namespace warpfiber::check {
namespace {

using memory::Object;
using memory::ObjectKind;

Space space_of(const Object& object, bool of_peer) {
  if (object.kind != ObjectKind::shared && object.kind != ObjectKind::dynamic_shared) return Space::global;
  return of_peer ? Space::peer_shared : Space::shared;
}

}  // namespace

std::optional<ObjectView> object_at(const void* address, const memory::SharedArena* arena) {
  const std::optional<Object> found = arena != nullptr ? arena->object_at(address) : memory::object_at(address);
  if (!found.has_value()) return std::nullopt;
  const bool written = found->initialised || host_writes().contain(found->base, found->bytes);
  return ObjectView{found->base, found->bytes, found->kind, found->freed, written};
}

MemoryPlace describe(const void* address, const memory::SharedArena* arena, bool of_peer) {
  std::optional<Object> found = arena != nullptr ? arena->nearest_object(address) : memory::nearest_object(address);
  MemoryPlace place;
  place.space = arena == nullptr ? Space::global : of_peer ? Space::peer_shared : Space::shared;
  if (!found.has_value()) return place;
  place.space = space_of(*found, of_peer);
  place.dynamic = found->kind == ObjectKind::dynamic_shared;
  place.constant = found->kind == ObjectKind::constant;
  place.name = place.dynamic ? "dynamic shared memory" : std::move(found->name);
  place.type = std::move(found->type);
  place.type_pointer = found->type_pointer;
  place.file = std::move(found->file);
  place.line = found->line;
  place.made_by = found->made_by;
  place.freed_by = found->freed_by;
  place.offset = static_cast<std::uint64_t>(static_cast<const char*>(address) - found->base);
  place.extent = found->bytes;
  return place;
}

}  // namespace warpfiber::check
