// SPDX-License-Identifier: Apache-2.0
// Work that needs more stack than a thread of a kernel has, such as reading debug information.
#pragma once

#include <functional>

namespace warpfiber::engine {

/// Calls `work` on a large stack, on the calling OS thread, which may be in a kernel: observers take nothing of it for
/// the kernel's, and the thread is not preempted. False where there is no memory for the stack or for the work.
bool run_on_large_stack(const std::function<void()>& work);

}  // namespace warpfiber::engine
