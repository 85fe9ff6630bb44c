// SPDX-License-Identifier: Apache-2.0
// What launches of a kernel depend on: what its declaration says, what the program has set for it on a device, and what
// earlier launches have shown. A host compiler says nothing about a kernel's static shared memory, so the first launch
// finds out. A kernel is named by its address, as in process/kernels.hpp. Any thread may call.
#pragma once

#include <warpfiber/occupancy.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

namespace warpfiber::launches {

KernelAttributes attributes_of(const void* address);

/// Grows whenever the attributes of a kernel change, or a launch shows something new. Takes no lock.
std::uint64_t changes_of_kernels();

/// Forgets what the program has set and what launches have shown.
void reset_kernel_attributes();

/// Changes what the program has set for a kernel.
void change_attributes(const void* address, const std::function<void(KernelAttributes&)>& change);

/// A thread of the kernel came to a grid barrier.
void learn_grid_barriers(const void* address);
bool synchronises_grid(const void* address);

/// The code of the kernel does nothing but return.
void learn_empty(const void* address);
bool is_empty_kernel(const void* address);

/// How the tags of the kernel's own static shared variables begin (memory::shared_statics); empty: not known.
std::string shared_tag_of(const void* address);

/// A block of the kernel used `bytes` of static shared memory.
void learn_static_shared(const void* address, std::size_t bytes);

}  // namespace warpfiber::launches
