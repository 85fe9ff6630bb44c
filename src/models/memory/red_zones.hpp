// SPDX-License-Identifier: Apache-2.0
// Memory of the program that lies behind variables of device 0 and belongs to nothing (src/compiler/translate/
// device_variables.cpp): an index that runs out of a variable gets there, and not into the next one.
// Zones are added before main and stay. Any thread may call.
#pragma once

#include <cstddef>

namespace warpfiber::memory {

/// `bytes` that reach to `end`, if the compiler has put that behind them, as it was asked to.
void add_red_zone(const void* begin, std::size_t bytes, const void* end);

bool in_red_zone(const void* address);

}  // namespace warpfiber::memory
