// SPDX-License-Identifier: Apache-2.0
// Who wrote a byte of device memory last, as the shadow cells of a checked program have kept it. Any thread may call,
// none inside a kernel: lines are looked up.
#pragma once

#include <string>

namespace warpfiber::device_memory {

/// "saxpy at saxpy.cu:12, block (1,0,0), thread (3,0,0)"; "no kernel since it was allocated"; "unknown: the program has
/// no access hooks".
std::string last_writer(const void* address);

}  // namespace warpfiber::device_memory
