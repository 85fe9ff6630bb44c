// SPDX-License-Identifier: Apache-2.0
// Warpfiber: CUDA kernels as ordinary C++, run on the CPU. This header is all a program needs. Under nvcc the same
// spellings mean CUDA's own (nvcc.hpp), so one source serves both.
#pragma once

#if defined(__CUDACC__) && !defined(__WARPFIBER__)

#include <warpfiber/nvcc.hpp>

#else

#include <warpfiber/address_spaces.hpp>
#include <warpfiber/atomics.hpp>
#include <warpfiber/backend.hpp>
#include <warpfiber/buffer.hpp>
#include <warpfiber/builtins.hpp>
#include <warpfiber/cache_access.hpp>
#include <warpfiber/cast.hpp>
#include <warpfiber/cluster_intrinsics.hpp>
#include <warpfiber/dpx.hpp>
#include <warpfiber/grid.hpp>
#include <warpfiber/integer.hpp>
#include <warpfiber/launch.hpp>
#include <warpfiber/math.hpp>
#include <warpfiber/min_max.hpp>
#include <warpfiber/named_barrier.hpp>
#include <warpfiber/occupancy.hpp>
#include <warpfiber/pinned_buffer.hpp>
#include <warpfiber/shared.hpp>
#include <warpfiber/simd.hpp>
#include <warpfiber/stream.hpp>
#include <warpfiber/vector_types.hpp>
#include <warpfiber/warp.hpp>

// CUDA programs use these two in kernels without including anything.
#include <assert.h>
#include <stdio.h>

#endif
