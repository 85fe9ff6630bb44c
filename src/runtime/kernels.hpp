// SPDX-License-Identifier: Apache-2.0
// What is known of a kernel besides its code: its name, and what its launches have taught. A host compiler says nothing
// about a kernel's static shared memory, so the first launch of a kernel finds out. Any thread may call.
#pragma once

#include <warpfiber/occupancy.hpp>

#include <string>

namespace warpfiber::runtime {

/// The demangled name without parameters, or the address where there is no symbol.
std::string kernel_name(const void* address);

KernelAttributes attributes_of(const void* address);

/// A block of the kernel used `bytes` of static shared memory.
void learn_static_shared(const void* address, std::size_t bytes);

}  // namespace warpfiber::runtime
