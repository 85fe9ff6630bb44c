// SPDX-License-Identifier: Apache-2.0
// Calls of CUDA in a child that fork() has made of a process that used CUDA. As with CUDA, all fail. Any thread may
// call.
#pragma once

#include <warpfiber/error.hpp>

namespace warpfiber::process {

/// Error::initialization_error, which is also the thread's last error. The first call says on standard error that it is
/// `function` which fails, and why.
Error refuse_in_forked_child(const char* function);

}  // namespace warpfiber::process
