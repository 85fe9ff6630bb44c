// SPDX-License-Identifier: Apache-2.0
// The heap of each device, from which kernels allocate (CUDA C++ Programming Guide, "Dynamic Global Memory Allocation
// and Operations"). Its memory lies in the device space and is objects of kind heap until it is freed, by any kernel;
// what still lives at the end is a leak: live_objects(ObjectKind::heap, device). Any thread may call.
#pragma once

#include <cstddef>

#include "memory/objects.hpp"

namespace warpfiber::memory {

/// What a device has before anybody sets cudaLimitMallocHeapSize.
inline constexpr std::size_t kFirstHeapLimit = std::size_t{8} << 20;

/// Bytes that all memory of the heap together may have; what is allocated stays.
void limit_heap(int device, std::size_t bytes);

/// `bytes` of poisoned memory at a multiple of `alignment`, a power of two, and of 16; null beyond the limit or where
/// the host has none. `made_by` is what the kernel's call returns to.
void* take_from_heap(int device, std::size_t bytes, std::size_t alignment, const void* made_by);

/// Frees what take_from_heap() gave; nothing happens where it is not, or was before.
Freeing give_back_to_heap(void* memory, const void* freed_by);

/// Frees everything on the heap of `device` and gives it the first limit again.
void forget_heap(int device);

}  // namespace warpfiber::memory
