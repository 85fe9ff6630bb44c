// SPDX-License-Identifier: Apache-2.0
// CUDA's cooperative groups: reductions, C++.
#pragma once
#if !defined(WARPFIBER_OWN_OBJECT) && !defined(__CUDACC__)
#pragma GCC system_header
#endif

#define _COOPERATIVE_GROUPS_REDUCE_H

// Host code has it too, from C++20 on; NVIDIA's is empty there.
#if defined(__CUDACC__) || __cplusplus >= 202002L
#include <cooperative_groups.h>
#include <cuda/std/functional>

#include <warpfiber/groups/reduce.hpp>
#endif
