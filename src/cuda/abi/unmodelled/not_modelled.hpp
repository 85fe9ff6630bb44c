// SPDX-License-Identifier: Apache-2.0
// What a function of CUDA's runtime does that exists in CUDA and is not modelled here.
#pragma once

#include <warpfiber/cuda/api/runtime.h>

#include "runtime/calls.hpp"

/// Returns cudaErrorNotSupported, and says so once for each `function`.
inline cudaError_t not_modelled(const char* function) {
  return warpfiber::runtime::call_always(function, [function] { return warpfiber::runtime::unmodelled(function); });
}
