// SPDX-License-Identifier: Apache-2.0
// Accesses of the host's own code to memory that it cannot reach on a machine with a GPU: memory of cudaMalloc, freed
// memory, variables of the device. What the program hands to copies and fills is judged there, not here.
#pragma once

#include <cstddef>

namespace warpfiber::runtime {

/// A thread of the host program is about to read or write `bytes` from `address`, in the device space or in the data of
/// the program; `returns_to` is the instruction after the hook's call. Reports what is wrong. An access that ends a
/// program with SIGSEGV under CUDA raises that signal here, so the call may not return. Called by the hooks of a
/// checked program, outside kernels; does nothing inside one. True where devices may use the memory at the same time:
/// managed and pinned memory, and managed variables.
bool judge_host_access(const void* address, std::size_t bytes, bool write, const void* returns_to);

/// The call in progress is about to store a result of `bytes` at `address`, as the program itself would: the same, also
/// in a program without hooks.
void judge_result(const void* address, std::size_t bytes);

}  // namespace warpfiber::runtime
