// SPDX-License-Identifier: Apache-2.0
// How findings call memory of a launch: a variable, dynamic shared memory or an allocation, with indices and members.
// Not on the stack of a fiber.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "check/objects/reachable_memory.hpp"
#include "check/violations/violations.hpp"
#include "memory/objects.hpp"
#include "record/finding.hpp"
#include "record/type_layout.hpp"

namespace warpfiber::check {

/// Part of an object, with the name that the source has for it.
struct NamedMemory {
  std::string name{};         // of the part, "nodes[3].children[2]"; empty: not known
  record::PartName part{};    // the number that it is
  std::string object{};       // the name of the object; empty: it has none
  std::uint64_t element = 0;  // bytes of an element of it, where the type does not say; 0: not known
  std::string type{};         // of the object
  record::Place declared{};   // or allocated
  bool is_allocated = false;
  std::string function{};  // that declares the object, a local variable; empty: not known
};

/// What names the memory depends on, besides the memory.
struct NamingContext {
  const ReachableMemory& reach;            // what the kernel was called with
  std::span<const std::uintptr_t> code{};  // in the function of the access and in its callers, innermost first
};

/// The name of `size` bytes at `address`, which are at `place`.
NamedMemory named_memory(const MemoryPlace& place, const void* address, std::uint64_t size,
                         const NamingContext& context);

/// All its names, where pointers to several places of one allocation give it one each.
std::vector<NamedMemory> names_of_memory(const MemoryPlace& place, const void* address, std::uint64_t size,
                                         const NamingContext& context);

/// The local variable in one of the frames of a thread, the first that is known; else without a name.
NamedMemory named_local(const std::vector<record::StackFrame>& frames, std::uint64_t size);

/// The function with that code, at `depth` of those that are inlined there; empty where it is not known.
std::string function_at(std::uintptr_t code, unsigned depth = 0);

/// What a finding says of the number that threads wait for at `address`, or of the barrier; only the address where it
/// is in no object.
record::ObjectFacts facts_of_word(const void* address, const NamingContext& context);

/// The same of an address in or near the allocation at `base`, with its bytes.
record::ObjectFacts facts_near(const void* address, const void* base, const NamingContext& context);

/// The space of the memory, "global".
const char* space_text(const MemoryPlace& place);

/// The layout of the type that the pointer at this address points to (Declared::type_pointer); null where debug
/// information does not say.
const record::TypeLayout* layout_of(const void* type_pointer);

/// What stands behind the name of the object where `size` bytes of it begin.
record::PartName part_of(const MemoryPlace& place, std::uint64_t size);
record::PartName part_of(const memory::Object& object, const void* address, std::uint64_t size);

}  // namespace warpfiber::check
