// SPDX-License-Identifier: Apache-2.0
// Types of numbers as programs name them to libraries.
#pragma once

#include <warpfiber/cuda/api/library_types.h>

namespace warpfiber::cuda_libraries {

/// Whether CUDA has such a type, whatever a library does with it.
inline bool is_type(cudaDataType type) {
  constexpr int kLast = 33;  // CUDA_R_4F_E2M1
  return static_cast<int>(type) >= 0 && static_cast<int>(type) <= kLast;
}

}  // namespace warpfiber::cuda_libraries
