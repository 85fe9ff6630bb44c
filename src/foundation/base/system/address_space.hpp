// SPDX-License-Identifier: Apache-2.0
// A process with a limit on its address space (ulimit -v, RLIMIT_AS) keeps enough of it for its reports: what is large
// and can be refused with an error is refused before the rest is too little for what cannot. Any thread may call.
#pragma once

#include <cstddef>

namespace warpfiber::base {

/// Whether reports still fit into the address space, with `bytes` taken besides. Asked after a large mapping, or before
/// one. True where the process has no limit.
bool has_headroom(std::size_t bytes = 0);

/// The same with a new thread and its stack taken besides.
bool has_headroom_for_thread();

/// Whether the processor and the system have addresses for `bytes` more: some have 2^39 and not 2^47. True where the
/// process has a limit, which is for its user to divide up.
bool has_addresses(std::size_t bytes);

/// Private memory of `bytes`, for which the host sets nothing aside before it is touched, as mmap() maps it with
/// `protection`. Null where there is none, or where reports would no longer fit.
char* map_with_headroom(std::size_t bytes, int protection);

/// The stack of the process's first thread grows now as far as reports need it. It cannot grow later, when the limit
/// leaves it no room: the process would get SIGSEGV. Called when the process begins to use CUDA.
void grow_first_stack();

// Whether memory is there. Linux asks the kernel; elsewhere everything counts as there.

/// Whether the word of eight bytes that `address` lies in can be read.
bool is_readable(const void* address);

}  // namespace warpfiber::base
