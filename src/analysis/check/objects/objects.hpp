// SPDX-License-Identifier: Apache-2.0
// What an address belongs to, as the checker asks it.
#pragma once

#include <optional>

#include "check/violations/violations.hpp"
#include "memory/objects.hpp"
#include "memory/shared_arena.hpp"
#include "record/diagnosis.hpp"

namespace warpfiber::check {

/// An object of device memory.
struct ObjectView {
  const char* base = nullptr;
  std::size_t bytes = 0;
  memory::ObjectKind kind{};
  bool freed = false;
  bool initialised = false;  // it began with defined content, or the host has written all of it
};

/// The object that contains `address`, freed ones included; in a block's shared memory if `arena` has it.
std::optional<ObjectView> object_at(const void* address, const memory::SharedArena* arena);

/// Whether the address is in shared memory that is none of the running block's: of a block that shares no cluster with
/// it, or of one that had the memory before. `arena` is as for object_at().
bool is_shared_of_other_block(const void* address, const memory::SharedArena* arena);

/// The allocation that an address outside of all is nearest to.
record::NearAddress near_address(const void* address);

/// How findings call the memory at `address` as an element of something else: of all that a block has in its shared
/// memory.
std::vector<MemoryPlace> shared_places(const void* address, const memory::SharedArena& arena);
/// And of the object that contains `within`, outside of shared memory; of Space::none where there is none.
MemoryPlace place_within(const void* address, const void* within);

/// How findings call the memory at `address`: the object it lies in, or is nearest to.
MemoryPlace describe(const void* address, const memory::SharedArena* arena, bool of_peer);

}  // namespace warpfiber::check
