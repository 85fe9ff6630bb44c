// SPDX-License-Identifier: Apache-2.0
// What is known of a kernel besides its code: its name, what its declaration says, what the program has set for it on a
// device, and what its launches have taught. A host compiler says nothing about a kernel's static shared memory, so the
// first launch of a kernel finds out. A kernel is named by the address of its function, or of the loop that was made
// for a callable. Any thread may call.
#pragma once

#include <warpfiber/occupancy.hpp>
#include <warpfiber/translated/kernels.hpp>

#include <functional>
#include <string>

namespace warpfiber::runtime {

using cuda::detail::KernelRecord;

/// The translated kernel whose stub is at `address`; null where there is none.
const KernelRecord* find_kernel(const void* address);

/// The demangled name without parameters, or "kernel" where there is no symbol.
std::string kernel_name(const void* address);

/// The linker's name of a translated kernel, which cudaFuncGetName returns. Lives for ever.
const char* mangled_name(const KernelRecord& kernel);

KernelAttributes attributes_of(const void* address);

/// Grows whenever something about a kernel changes, or is learnt from its launches. Any thread, without a lock.
std::uint64_t changes_of_kernels();

/// Forgets what the program has set and what launches have shown; the kernels stay.
void reset_kernels();

/// Changes what the program has set for a kernel.
void change_attributes(const void* address, const std::function<void(KernelAttributes&)>& change);

/// A thread of the kernel came to a grid barrier.
void learn_grid_barriers(const void* address);
bool synchronises_grid(const void* address);

/// The code of the kernel does nothing but return.
void learn_empty(const void* address);
bool is_empty_kernel(const void* address);

/// A block of the kernel used `bytes` of static shared memory.
void learn_static_shared(const void* address, std::size_t bytes);

}  // namespace warpfiber::runtime
