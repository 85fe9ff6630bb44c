// SPDX-License-Identifier: Apache-2.0
// Found before the header of this name in NVIDIA's CUB, which from 3.4 on chooses how kernels are tuned by a constant
// that is 0 for the host. Kernels are made of what the device gets, so here host and device get it.
#pragma once
#if !defined(WARPFIBER_OWN_OBJECT) && !defined(__CUDACC__)
#pragma GCC system_header
#endif

#if __has_include(<cuda/__cccl_config>)
#include <cub/detail/detect_cuda_runtime.cuh>
#include <cub/util_cpp_dialect.cuh>
#include <cub/util_macro.cuh>
#include <cub/util_namespace.cuh>
#endif
#if __has_include(<cuda/__device/compute_capability.h>)
#include <cuda/__cmath/ceil_div.h>
#include <cuda/__cmath/round_up.h>
#include <cuda/__device/compute_capability.h>
#include <cuda/std/__algorithm/clamp.h>
#include <cuda/std/__algorithm/max.h>
#include <cuda/std/__algorithm/min.h>
#endif
#include <cuda/std/detail/__config>

#pragma push_macro("_CCCL_DEVICE_COMPILATION")
#undef _CCCL_DEVICE_COMPILATION
#define _CCCL_DEVICE_COMPILATION() 1
#include_next <cub/util_arch.cuh>
#pragma pop_macro("_CCCL_DEVICE_COMPILATION")
