// SPDX-License-Identifier: Apache-2.0
// Work that takes more stack than a thread of a kernel may have left, such as reading debug information.
#pragma once

#include <functional>

namespace warpfiber::fiber {

/// Calls `work` on a large stack that is mapped for it, on the calling OS thread. False where there is no memory for
/// the stack or for the work; other exceptions must not leave `work`. engine::run_on_large_stack() is for threads of
/// kernels.
bool run_on_large_stack(const std::function<void()>& work);

}  // namespace warpfiber::fiber
