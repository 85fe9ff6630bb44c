// SPDX-License-Identifier: Apache-2.0
// CUDA's cooperative groups, C++.
#pragma once
#if !defined(WARPFIBER_OWN_OBJECT) && !defined(__CUDACC__)
#pragma GCC system_header
#endif

#define _COOPERATIVE_GROUPS_H_
#define _CG_VERSION 1000
#define _CG_ABI_VERSION 1

// What programs ask before they use it; host code has everything.
#define _CG_CPP11_FEATURES
#define _CG_HAS_GRID_GROUP
#define _CG_HAS_MULTI_GRID_GROUP
#define _CG_HAS_MATCH_COLLECTIVE
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
#define _CG_HAS_RESERVED_SHARED
#endif
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
#define _CG_HAS_CLUSTER_GROUP
#define _CG_HAS_INSTR_ELECT
#endif
#define _CG_HAS_STL_ATOMICS

#if defined(CG_DEBUG) && !defined(NDEBUG) && !defined(_CG_DEBUG)
#define _CG_DEBUG
#endif

// Host code has it too, from C++20 on; NVIDIA's is empty there.
#if defined(__CUDACC__) || __cplusplus >= 202002L
#include <cuda/atomic>
#include <cuda/std/type_traits>
#ifdef __CUDACC__
#include <cuda_runtime.h>
#endif
#include <warpfiber/cooperative_groups.hpp>
#endif
