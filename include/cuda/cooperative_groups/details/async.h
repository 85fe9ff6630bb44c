// SPDX-License-Identifier: Apache-2.0
// CUDA's cooperative groups: asynchronous copies.
#pragma once
#if !defined(WARPFIBER_OWN_OBJECT) && !defined(__CUDACC__)
#pragma GCC system_header
#endif

#include <cooperative_groups.h>

#include <warpfiber/groups/memcpy_async.hpp>
