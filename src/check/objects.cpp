// SPDX-License-Identifier: Apache-2.0
#include "check/objects.hpp"

#include "check/host_writes.hpp"
#include "memory/global_heap.hpp"

namespace warpfiber::check {

std::optional<ObjectView> object_at(const void* address, const memory::SharedArena* arena) {
  if (arena != nullptr) return ObjectView{arena->base(), arena->bytes(), false, false};
  const auto found = memory::global_heap().find(address);
  if (!found.has_value()) return std::nullopt;
  const bool written = host_writes().contain(found->base, found->bytes);
  const auto* at = static_cast<const char*>(address);
  if (at < found->base || at >= found->base + found->bytes) return std::nullopt;
  return ObjectView{found->base, found->bytes, false, written};
}

Place describe(const void* address, const memory::SharedArena* arena, bool of_peer) {
  Place place;
  const auto* at = static_cast<const char*>(address);
  if (arena != nullptr) {
    place.space = of_peer ? Space::peer_shared : Space::shared;
    place.offset = static_cast<std::uint64_t>(at - arena->base());
    place.extent = arena->bytes();
    return place;
  }
  place.space = Space::global;
  if (const auto found = memory::global_heap().find(address)) {
    place.offset = static_cast<std::uint64_t>(at - found->base);
    place.extent = found->bytes;
  }
  return place;
}

}  // namespace warpfiber::check
