// SPDX-License-Identifier: Apache-2.0
// CUDA's mbarrier, the functions.
#pragma once
#if !defined(WARPFIBER_OWN_OBJECT) && !defined(__CUDACC__)
#pragma GCC system_header
#endif

#define _CUDA_AWBARRIER_PRIMITIVES_H_

#include <warpfiber/cuda/mbarrier.hpp>
