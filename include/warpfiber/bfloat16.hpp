// SPDX-License-Identifier: Apache-2.0
//
// CUDA's __nv_bfloat16 and __nv_bfloat162 with all their functions (CUDA Math API, "Bfloat16 Precision Intrinsics").
// As in half.hpp: correctly rounded arithmetic and conversions, subnormal numbers kept, NaN 0x7fff, the
// other functions off by at most 0.51 ULP. Defining __CUDA_NO_BFLOAT16_CONVERSIONS__, __CUDA_NO_BFLOAT16_OPERATORS__ or
// __CUDA_NO_BFLOAT162_OPERATORS__ leaves out what it does in CUDA. Kernels and host code may call all of it.
#pragma once
#if !defined(WARPFIBER_OWN_OBJECT) && !defined(__CUDACC__)
#pragma GCC system_header
#endif

#if defined(__CUDACC__) && !defined(__WARPFIBER__)

#include <cuda_bf16.h>

#else

#include <warpfiber/half.hpp>

WARPFIBER_NARROW_RAW(__nv_bfloat16_raw, __nv_bfloat162_raw)
#ifdef __CUDA_NO_BFLOAT16_CONVERSIONS__
WARPFIBER_NARROW_TYPE(__nv_bfloat16, __nv_bfloat16_raw, Bfloat, Stored, )
#else
WARPFIBER_NARROW_TYPE(__nv_bfloat16, __nv_bfloat16_raw, Bfloat, Number,
                      explicit constexpr __nv_bfloat16(__half value) noexcept
                      : Number(__half2float(value)){})
#endif
#ifndef __CUDA_NO_HALF_CONVERSIONS__
constexpr __half::__half(__nv_bfloat16 value) noexcept
    : Number(warpfiber::narrow::widened<warpfiber::narrow::Bfloat>(warpfiber::narrow::bits_of(value))) {}
#endif
WARPFIBER_NARROW_PAIR(__nv_bfloat162, __nv_bfloat16, __nv_bfloat16_raw, __nv_bfloat162_raw)

/// The functions of half.hpp, which documents them, for these types.
WARPFIBER_NARROW_CONVERSIONS(Bfloat, __nv_bfloat16, __nv_bfloat162, bfloat16)
WARPFIBER_NARROW_PACKING(Bfloat, __nv_bfloat16, __nv_bfloat162, bfloat16)
WARPFIBER_NARROW_ARITHMETIC(Bfloat, __nv_bfloat16, __nv_bfloat162)
WARPFIBER_NARROW_COMPARISONS(Bfloat, __nv_bfloat16, __nv_bfloat162)
WARPFIBER_NARROW_MATHEMATICS(Bfloat, __nv_bfloat16, __nv_bfloat162)

#ifndef __CUDA_NO_BFLOAT16_OPERATORS__
WARPFIBER_NARROW_OPERATORS(__nv_bfloat16, __nv_bfloat16_raw, 0x3f80)
#endif
#ifndef __CUDA_NO_BFLOAT162_OPERATORS__
WARPFIBER_NARROW_PAIR_OPERATORS(__nv_bfloat162, __nv_bfloat162_raw, 0x3f80)
#endif

using nv_bfloat16 = __nv_bfloat16;
using nv_bfloat162 = __nv_bfloat162;

#define CUDART_INF_BF16 __ushort_as_bfloat16(static_cast<unsigned short>(0x7f80))
#define CUDART_NAN_BF16 __ushort_as_bfloat16(static_cast<unsigned short>(0x7fff))
#define CUDART_MIN_DENORM_BF16 __ushort_as_bfloat16(static_cast<unsigned short>(0x0001))
#define CUDART_MAX_NORMAL_BF16 __ushort_as_bfloat16(static_cast<unsigned short>(0x7f7f))
#define CUDART_NEG_ZERO_BF16 __ushort_as_bfloat16(static_cast<unsigned short>(0x8000))
#define CUDART_ZERO_BF16 __ushort_as_bfloat16(static_cast<unsigned short>(0x0000))
#define CUDART_ONE_BF16 __ushort_as_bfloat16(static_cast<unsigned short>(0x3f80))

#endif
