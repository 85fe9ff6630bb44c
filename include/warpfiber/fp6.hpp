// SPDX-License-Identifier: Apache-2.0
//
// CUDA's floating-point numbers of 6 bits, one, two or four in an object, each in a byte of its own (CUDA Math API,
// "FP6 Intrinsics"): e2m3 and e3m2 of the OCP Microscaling Formats Specification, up to 7.5 and 28, which have neither
// infinity nor NaN. Conversions to them round once, to nearest even unless another way is named. What is too large
// becomes the largest number with its sign, and a NaN the largest one. There is no arithmetic: it is done in half,
// bfloat16 or float. Kernels and host code may call all of it.
#pragma once
#if !defined(WARPFIBER_OWN_OBJECT) && !defined(__CUDACC__)
#pragma GCC system_header
#endif

#if defined(__CUDACC__) && !defined(__WARPFIBER__)

#include <cuda_fp6.h>

#else

#include <warpfiber/fp8.hpp>

typedef __nv_fp8_storage_t __nv_fp6_storage_t;
typedef __nv_fp8x2_storage_t __nv_fp6x2_storage_t;
typedef __nv_fp8x4_storage_t __nv_fp6x4_storage_t;

typedef enum __nv_fp6_interpretation_t { __NV_E2M3, __NV_E3M2 } __nv_fp6_interpretation_t;

WARPFIBER_BYTE_TYPE(__nv_fp6_e2m3, Byte, E2M3, 1)
WARPFIBER_BYTE_TYPE(__nv_fp6x2_e2m3, BytePair, E2M3, 2)
WARPFIBER_BYTE_TYPE(__nv_fp6x4_e2m3, ByteQuad, E2M3, 4)
WARPFIBER_BYTE_TYPE(__nv_fp6_e3m2, Byte, E3M2, 1)
WARPFIBER_BYTE_TYPE(__nv_fp6x2_e3m2, BytePair, E3M2, 2)
WARPFIBER_BYTE_TYPE(__nv_fp6x4_e3m2, ByteQuad, E3M2, 4)

/// The bits of a number, or of two with the first in the lower byte, in the format that is named.
constexpr __nv_fp6_storage_t __nv_cvt_double_to_fp6(double x, __nv_fp6_interpretation_t format,
                                                    cudaRoundMode rounding) noexcept {
  return format == __NV_E2M3 ? warpfiber::narrow::to_code<warpfiber::narrow::E2M3>(x, rounding)
                             : warpfiber::narrow::to_code<warpfiber::narrow::E3M2>(x, rounding);
}
constexpr __nv_fp6_storage_t __nv_cvt_float_to_fp6(float x, __nv_fp6_interpretation_t format,
                                                   cudaRoundMode rounding) noexcept {
  return __nv_cvt_double_to_fp6(static_cast<double>(x), format, rounding);
}
constexpr __nv_fp6x2_storage_t __nv_cvt_double2_to_fp6x2(double2 x, __nv_fp6_interpretation_t format,
                                                         cudaRoundMode rounding) noexcept {
  return static_cast<__nv_fp6x2_storage_t>(__nv_cvt_double_to_fp6(x.x, format, rounding) |
                                           __nv_cvt_double_to_fp6(x.y, format, rounding) << 8);
}
constexpr __nv_fp6x2_storage_t __nv_cvt_float2_to_fp6x2(float2 x, __nv_fp6_interpretation_t format,
                                                        cudaRoundMode rounding) noexcept {
  return static_cast<__nv_fp6x2_storage_t>(__nv_cvt_float_to_fp6(x.x, format, rounding) |
                                           __nv_cvt_float_to_fp6(x.y, format, rounding) << 8);
}
WARPFIBER_BYTE_FROM_RAW(fp6, __nv_fp6_interpretation_t, format, cudaRoundMode, rounding)

/// The numbers that these bits are: every one is a half as well.
inline __half_raw __nv_cvt_fp6_to_halfraw(__nv_fp6_storage_t x, __nv_fp6_interpretation_t format) noexcept {
  return __float2half(format == __NV_E2M3 ? warpfiber::narrow::from_byte<warpfiber::narrow::E2M3>(x)
                                          : warpfiber::narrow::from_byte<warpfiber::narrow::E3M2>(x));
}
inline __half2_raw __nv_cvt_fp6x2_to_halfraw2(__nv_fp6x2_storage_t x, __nv_fp6_interpretation_t format) noexcept {
  return __half2_raw{__nv_cvt_fp6_to_halfraw(static_cast<__nv_fp6_storage_t>(x), format).x,
                     __nv_cvt_fp6_to_halfraw(static_cast<__nv_fp6_storage_t>(x >> 8), format).x};
}

#endif
