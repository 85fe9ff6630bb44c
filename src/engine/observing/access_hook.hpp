// SPDX-License-Identifier: Apache-2.0
// Where the policy lock-step comes in: between an access hook of a checked program and what the hook does.
#pragma once

namespace warpfiber::engine {

/// The running thread of a kernel is about to access memory, which its hook has not reported yet. In lock-step the
/// other lanes of its warp come to their accesses first. The thread is busy.
void before_access();

}  // namespace warpfiber::engine
