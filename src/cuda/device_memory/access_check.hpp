// SPDX-License-Identifier: Apache-2.0
// What a function of a library is about to read or write, looked at before its other accesses are known.
#pragma once

#include "device_memory/copies.hpp"

namespace warpfiber::device_memory {

/// success: it is memory of a device, as far as it goes.
Error check(const LibraryAccess& access);

}  // namespace warpfiber::device_memory
