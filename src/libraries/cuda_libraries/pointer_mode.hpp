// SPDX-License-Identifier: Apache-2.0
// Pointer modes of cuBLAS, cuBLASLt and cuSPARSE: whether the factors and results that a call points to are the host's
// or a device's.
#pragma once

#include "record/reason.hpp"

namespace warpfiber::cuda_libraries {

/// How a library names its two modes.
struct PointerModeNames {
  const char* host;
  const char* device;
};

/// Why a call with a pointer to a factor or a result fails, and what mends it; empty where the pointer is right.
struct WrongPlace {
  record::Reason why{};
  record::Reason fix{};
};

/// Whether the memory at `at`, which the argument `name` points to, can be accessed from where the mode says.
WrongPlace wrong_place(const char* name, const void* at, bool on_device, const PointerModeNames& modes);

}  // namespace warpfiber::cuda_libraries
