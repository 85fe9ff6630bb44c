// SPDX-License-Identifier: Apache-2.0
//
// CUDA's __half and __half2 with all their functions (CUDA Math API, "Half Precision Intrinsics"). Conversions,
// arithmetic and square root are correctly rounded, subnormal numbers are kept, and a NaN that results is 0x7fff, as
// on the device. The other functions are off by at most 0.51 ULP, so within the device's bounds but not its last bits.
// Numbers out of range become the nearest integer in range, NaN 0 (64 bits: 0x8000000000000000). Kernels and host code
// may call all of it; half_memory.hpp has atomicAdd and the loads and stores. Defining __CUDA_NO_HALF_CONVERSIONS__,
// __CUDA_NO_HALF_OPERATORS__, __CUDA_NO_HALF2_OPERATORS__ or CUDA_NO_HALF leaves out what it does in CUDA.
#pragma once
#if !defined(WARPFIBER_OWN_OBJECT) && !defined(__CUDACC__)
#pragma GCC system_header
#endif

#if defined(__CUDACC__) && !defined(__WARPFIBER__)

#include <cuda_fp16.h>

#else

#include <warpfiber/intrinsics/narrow_functions.hpp>

WARPFIBER_NARROW_RAW(__half_raw, __half2_raw)
struct __nv_bfloat16;
#ifdef __CUDA_NO_HALF_CONVERSIONS__
WARPFIBER_NARROW_TYPE(__half, __half_raw, Half, Stored, )
#else
WARPFIBER_NARROW_TYPE(__half, __half_raw, Half, Number, explicit constexpr __half(__nv_bfloat16 value) noexcept;)
#endif
WARPFIBER_NARROW_PAIR(__half2, __half, __half_raw, __half2_raw)

/// Numbers and integers into each other with the rounding in the name: _rn to nearest even, _rz to zero, _ru up, _rd
/// down; bits seen as another type.
WARPFIBER_NARROW_CONVERSIONS(Half, __half, __half2, half)

/// Pairs from numbers, and numbers and pairs from the halves of pairs; the low half comes first.
WARPFIBER_NARROW_PACKING(Half, __half, __half2, half)

/// Sums, differences, products, quotients, fused multiply-add; _sat brings the result into [0, 1] and makes NaN 0,
/// _relu makes negative results 0. Nothing is ever fused, so that _rn means no more than the plain name.
WARPFIBER_NARROW_ARITHMETIC(Half, __half, __half2)

/// Relations, false of NaN, or true where the name ends in u; minimum and maximum, which ignore a NaN unless the name
/// ends in _nan, and put -0 below +0.
WARPFIBER_NARROW_COMPARISONS(Half, __half, __half2)

/// Roots, powers, logarithms, circular and hyperbolic functions, rounding to integers.
WARPFIBER_NARROW_MATHEMATICS(Half, __half, __half2)

#ifndef __CUDA_NO_HALF_OPERATORS__
WARPFIBER_NARROW_OPERATORS(__half, __half_raw, 0x3c00)
#endif
#ifndef __CUDA_NO_HALF2_OPERATORS__
WARPFIBER_NARROW_PAIR_OPERATORS(__half2, __half2_raw, 0x3c00)
#endif

using __nv_half = __half;
using __nv_half2 = __half2;
using __nv_half_raw = __half_raw;
using __nv_half2_raw = __half2_raw;
using nv_half = __half;
using nv_half2 = __half2;
#ifndef CUDA_NO_HALF
using half = __half;
using half2 = __half2;
#endif

#define CUDART_INF_FP16 __ushort_as_half(static_cast<unsigned short>(0x7c00))
#define CUDART_NAN_FP16 __ushort_as_half(static_cast<unsigned short>(0x7fff))
#define CUDART_MIN_DENORM_FP16 __ushort_as_half(static_cast<unsigned short>(0x0001))
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half(static_cast<unsigned short>(0x7bff))
#define CUDART_NEG_ZERO_FP16 __ushort_as_half(static_cast<unsigned short>(0x8000))
#define CUDART_ZERO_FP16 __ushort_as_half(static_cast<unsigned short>(0x0000))
#define CUDART_ONE_FP16 __ushort_as_half(static_cast<unsigned short>(0x3c00))

#endif
