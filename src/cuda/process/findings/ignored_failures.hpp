// SPDX-License-Identifier: Apache-2.0
// Whether a program that is not checked looks at the errors of its kernels. One that does not ends with the exit code
// of a program with findings (docs/checking.md, "Exit code"). Any thread may call, never inside a kernel.
#pragma once

#include <warpfiber/error.hpp>

namespace warpfiber::process {

/// A kernel of a CUDA source failed.
void note_kernel_failure();

/// The call of CUDA's runtime in progress returns `error`. If a kernel has caused it, the source at the call decides
/// whether the program looks at it.
void note_returned_error(const char* function, Error error);

/// Whether a kernel failed, and since then the program has asked for no error and discarded what its calls returned.
bool kernel_failure_is_ignored();

}  // namespace warpfiber::process
