// SPDX-License-Identifier: Apache-2.0
// Functions of cuRAND that are not modelled. They can be linked, return CURAND_STATUS_TYPE_ERROR, and say so once. What
// they are called with is not looked at.
#include "cuda_libraries/curand/statuses.hpp"

#define WARPFIBER_NOT_MODELLED(function)                                               \
  curandStatus_t function(...) {                                                       \
    return warpfiber::cuda_libraries::library_not_modelled<curandStatus_t>(#function); \
  }

extern "C" {

WARPFIBER_CURAND_NOT_MODELLED_LIST(WARPFIBER_NOT_MODELLED)

}  // extern "C"

#undef WARPFIBER_NOT_MODELLED
