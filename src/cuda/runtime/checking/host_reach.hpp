// SPDX-License-Identifier: Apache-2.0
// Accesses of the host's own code to memory that it cannot reach on a machine with a GPU: memory of cudaMalloc, freed
// memory, variables of the device. What the program hands to copies and fills is judged there, not here.
// In a program without hooks the memory of devices is closed while nothing but code of the host runs, and the fault of
// an access is explained.
#pragma once

#include <cstddef>
#include <span>

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

/// The instruction at `trail[0]`, which may be of a library that the program calls, has faulted at `address` in the
/// device space, outside of calls of CUDA's and kernels. Reports what is wrong, at the user's line. The rest of `trail`
/// are the addresses that the calls around it return to. Called by the handler of the signal.
void report_host_fault(const void* address, bool write, std::span<void* const> trail);

/// Called at the end of each runtime call. Closes the memory unless another thread or a stream may use it.
void close_device_memory();

/// The next SIGSEGV of this process is not explained: a finding has said all.
void leave_fault_unexplained();

}  // namespace warpfiber::runtime
