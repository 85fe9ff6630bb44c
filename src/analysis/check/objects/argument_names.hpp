// SPDX-License-Identifier: Apache-2.0
// How a kernel calls a part of an allocation: by a parameter that leads to it, or a variable, with indices and members.
// Not on the stack of a fiber.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "check/objects/reachable_memory.hpp"
#include "check/violations/violations.hpp"
#include "record/type_layout.hpp"

namespace warpfiber::check {

/// A parameter, or a part of one, and where it lies in the arguments.
struct ArgumentPart {
  std::string name{};
  std::size_t offset = 0;
  const record::TypeLayout* type = nullptr;
};

/// The parameters of the kernel; none where their types are not known.
std::vector<ArgumentPart> parameters_of(const ReachableMemory& reach);

/// Where the pointers point that a kernel can name: its arguments and what they point to, variables of the device and
/// what those point to.
std::vector<const char*> named_pointers(const ReachableMemory& reach);

/// Part of an allocation.
struct AllocationPart {
  record::PartName part{};    // with the whole name
  std::string pointer{};      // the name of the pointer, if it points to the beginning of the allocation
  std::uint64_t element = 0;  // bytes of what it points to; 0: not known
};

/// The whole name of the `size` bytes at `address`, "nodes[3].children[2]", which are in or near an allocation that a
/// pointer leads to: among the arguments, in what one of those points to, in a variable of the device, or in what one
/// of those points to; of several the last before the address. Empty where types are not known, or nothing leads there.
AllocationPart argument_part(const ReachableMemory& reach, const MemoryPlace& place, const void* address,
                             std::uint64_t size);

/// All names that the bytes have by pointers to different places of the allocation, by these places.
std::vector<AllocationPart> argument_parts(const ReachableMemory& reach, const MemoryPlace& place, const void* address,
                                           std::uint64_t size);

}  // namespace warpfiber::check
