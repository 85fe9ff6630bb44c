// SPDX-License-Identifier: Apache-2.0
// The translated kernels of the program, and the names of kernels. A kernel is named by the address of its function, or
// of the loop that was made for a callable. Any thread may call.
#pragma once

#include <warpfiber/translated/kernels.hpp>

#include <string>
#include <string_view>

namespace warpfiber::process {

using cuda::detail::KernelRecord;

/// The translated kernel whose stub is at `address`; null where there is none.
const KernelRecord* find_kernel(const void* address);

/// The best function for this processor that runs a block of the kernel, for no newer level of x86-64 than `newest`,
/// and the stack that it needs; null and 0 where the program has registered none.
struct RegisteredFunction {
  unsigned (*run)(const void* closure) = nullptr;
  std::size_t stack_bytes = 0;
  bool needs_whole_rows = false;  // blocks are to have one row of threads, or rows of whole warps
};
RegisteredFunction find_block_function(const KernelRecord& kernel, unsigned newest);

/// The demangled name without parameters, or "kernel" where there is no symbol.
std::string kernel_name(const void* address);

/// With template arguments and parameters, as profilers show it.
std::string full_kernel_name(const void* address);

/// The linker's name of a translated kernel, which cudaFuncGetName returns. Lives for ever.
const char* mangled_name(const KernelRecord& kernel);

/// How the mangled names of types that are local to the kernel's stub begin, Z <function> E (Itanium C++ ABI, "Scope
/// Encoding"); empty without RTTI.
std::string_view local_type_scope(const KernelRecord& kernel);

}  // namespace warpfiber::process
