// SPDX-License-Identifier: Apache-2.0
// CUDA's cooperative groups, C++.
#pragma once

#define _COOPERATIVE_GROUPS_H_
#define _CG_VERSION 1000
#define _CG_ABI_VERSION 1

#if defined(CG_DEBUG) && !defined(NDEBUG) && !defined(_CG_DEBUG)
#define _CG_DEBUG
#endif

#include <cuda/atomic>
#include <cuda/std/type_traits>
#ifdef __CUDACC__
#include <cuda_runtime.h>
#endif
#include <warpfiber/cooperative_groups.hpp>
