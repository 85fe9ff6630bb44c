// SPDX-License-Identifier: Apache-2.0
// A constant that kernels are made of and that differs between host and device, as CUB's does.
#pragma once

#include <cuda/std/detail/__config>

namespace like_cccl {
__host__ __device__ constexpr int block_threads() {
#if _CCCL_DEVICE_COMPILATION()
  return 64;
#else
  return 32;
#endif
}
}  // namespace like_cccl
