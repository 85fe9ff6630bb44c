// SPDX-License-Identifier: Apache-2.0
// Work that takes more stack than a thread of a kernel may have left, such as reading debug information.
#pragma once

#include <functional>

namespace warpfiber::base {

/// Calls `work` on a stack with room and waits for it: on that of a new OS thread, or where the system has no thread
/// left, on one that is mapped for it. False where neither is to be had, or no memory for the work.
bool with_room(const std::function<void()>& work);

}  // namespace warpfiber::base
