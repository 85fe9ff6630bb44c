// SPDX-License-Identifier: Apache-2.0
// What code of kernels may use without including more: the built-in variables and CUDA's device functions.
#pragma once

#include <warpfiber/detail/vector_types.hpp>
#include <warpfiber/intrinsics/address_spaces.hpp>
#include <warpfiber/intrinsics/atomics.hpp>
#include <warpfiber/intrinsics/builtins.hpp>
#include <warpfiber/intrinsics/cache_access.hpp>
#include <warpfiber/intrinsics/cast.hpp>
#include <warpfiber/intrinsics/cluster_intrinsics.hpp>
#include <warpfiber/intrinsics/dpx.hpp>
#include <warpfiber/intrinsics/grid.hpp>
#include <warpfiber/intrinsics/integer.hpp>
#include <warpfiber/intrinsics/math.hpp>
#include <warpfiber/intrinsics/min_max.hpp>
#include <warpfiber/intrinsics/named_barrier.hpp>
#include <warpfiber/intrinsics/simd.hpp>
#include <warpfiber/intrinsics/warp.hpp>

// CUDA programs use these two in kernels without including anything.
#include <assert.h>
#include <stdio.h>
