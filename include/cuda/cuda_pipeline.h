// SPDX-License-Identifier: Apache-2.0
// CUDA's asynchronous copies of a thread, C++.
#pragma once
#if !defined(WARPFIBER_OWN_OBJECT) && !defined(__CUDACC__)
#pragma GCC system_header
#endif

#define _CUDA_PIPELINE_H_

// Host code has it too, from C++20 on; NVIDIA's is empty there.
#if defined(__CUDACC__) || __cplusplus >= 202002L
#include <warpfiber/cuda/cuda_pipeline.hpp>
#endif
