// SPDX-License-Identifier: Apache-2.0
// The reset of a device, which ends all that the program has there.
#pragma once

#include <warpfiber/error.hpp>

namespace warpfiber::runtime {

/// cudaDeviceReset: waits for the work of the current device, ends its streams, frees its memory, forgets its error and
/// what was set, and gives its variables the values they began with.
Error reset_device();

/// Frees everything that `device` has: memory, pinned memory, arrays, pools and what kernels have allocated.
void release_all(int device);

}  // namespace warpfiber::runtime
