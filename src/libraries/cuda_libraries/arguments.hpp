// SPDX-License-Identifier: Apache-2.0
// Arguments that CUDA's libraries have in common: types of numbers, and pointer modes of cuBLAS, cuBLASLt and cuSPARSE,
// whether the factors and results that a call points to are the host's or a device's.
#pragma once

#include <warpfiber/cuda/api/library_types.h>

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

/// Whether the address is in the host's memory that the runtime does not know, as malloc() gives it.
bool is_ordinary_memory(const void* at);

/// Whether CUDA has such a type, whatever a library does with it.
inline bool is_type(cudaDataType type) {
  constexpr int kLast = 33;  // CUDA_R_4F_E2M1
  return static_cast<int>(type) >= 0 && static_cast<int>(type) <= kLast;
}

}  // namespace warpfiber::cuda_libraries
