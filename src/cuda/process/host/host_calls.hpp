// SPDX-License-Identifier: Apache-2.0
// Which calls of the host program led to one of CUDA's functions.
#pragma once

#include "record/stack_depot.hpp"

namespace warpfiber::process {

/// The calls that led to the function that calls CUDA's.
/// `returns_to`: the instruction after the call, or after the configuration of a launch, of the calling OS thread.
/// Slow; not inside a kernel.
record::StackId host_calls(const void* returns_to);

/// The call of the program's own code that led to this one, where a library of CUDA code (Thrust, CUB) makes it and the
/// program is checked; else `returns_to`. Slow the first time for each address; not inside a kernel.
const void* call_of_own_code(const void* returns_to);

/// Whether the source around the call in progress, or around one that led to it, has `name` in it. False where it
/// cannot be read. Slow the first time; not inside a kernel.
bool call_names(const char* name);

}  // namespace warpfiber::process
