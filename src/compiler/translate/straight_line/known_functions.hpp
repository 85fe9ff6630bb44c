// SPDX-License-Identifier: Apache-2.0
//
// The functions of CUDA and of the C library that compute a number from numbers, and wait for no thread. Pure.
#pragma once

#include <string_view>

namespace warpfiber::translate {

/// Whether `name`, called with numbers, computes one: sqrtf, min, __fmaf_rn, __popc; __ldg of an address, too.
bool computes_number(std::string_view name);

}  // namespace warpfiber::translate
