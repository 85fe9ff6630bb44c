// SPDX-License-Identifier: Apache-2.0
// A function that differs between host and device in the way in which NVIDIA's differs.
#pragma once

#include <cuda/std/detail/__config>
#include <memory>

namespace like_cccl {
#if _CCCL_DEVICE_COMPILATION()
template <class T>
__host__ __device__ T* addressof(T& object) {
  return &object;
}
#else
using ::std::addressof;
#endif
}  // namespace like_cccl
