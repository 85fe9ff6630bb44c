// SPDX-License-Identifier: Apache-2.0
// CUDA's cooperative groups: asynchronous copies.
#pragma once
#if !defined(WARPFIBER_OWN_OBJECT) && !defined(__CUDACC__)
#pragma GCC system_header
#endif

#define _COOPERATIVE_GROUPS_MEMCPY_ASYNC

// Host code has it too, from C++20 on; NVIDIA's is empty there.
#if defined(__CUDACC__) || __cplusplus >= 202002L
#include <cooperative_groups.h>

#include <warpfiber/groups/memcpy_async.hpp>
#endif
