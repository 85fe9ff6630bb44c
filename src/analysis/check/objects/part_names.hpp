// SPDX-License-Identifier: Apache-2.0
// How findings call a part of an object: by members and indices, as far as debug information knows the object's type.
// Not on the stack of a fiber.
#pragma once

#include <cstdint>

#include "check/violations/violations.hpp"
#include "memory/objects.hpp"
#include "record/type_layout.hpp"

namespace warpfiber::check {

/// The layout of the type that the pointer at this address points to (Declared::type_pointer); null where debug
/// information does not say.
const record::TypeLayout* layout_of(const void* type_pointer);

/// What stands behind the name of the object where `size` bytes of it begin.
record::PartName part_of(const MemoryPlace& place, std::uint64_t size);
record::PartName part_of(const memory::Object& object, const void* address, std::uint64_t size);

}  // namespace warpfiber::check
