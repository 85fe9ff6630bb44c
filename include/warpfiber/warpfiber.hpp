// SPDX-License-Identifier: Apache-2.0
// Warpfiber: CUDA kernels as ordinary C++, run on the CPU. This header is all a program needs. Under nvcc the same
// spellings mean CUDA's own (nvcc.hpp), so one source serves both.
#pragma once

#if defined(__CUDACC__) && !defined(__WARPFIBER__)

#include <warpfiber/nvcc.hpp>

#else

#include <warpfiber/backend.hpp>
#include <warpfiber/buffer.hpp>
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
#include <warpfiber/launch.hpp>
#include <warpfiber/occupancy.hpp>
#include <warpfiber/pinned_buffer.hpp>
#include <warpfiber/shared.hpp>
#include <warpfiber/stream.hpp>

// CUDA programs use these two in kernels without including anything.
#include <assert.h>
#include <stdio.h>

#endif
