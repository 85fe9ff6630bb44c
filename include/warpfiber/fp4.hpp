// SPDX-License-Identifier: Apache-2.0
//
// CUDA's floating-point numbers of 4 bits, one, two or four in an object (CUDA Math API, "FP4 Intrinsics"): e2m1 of the
// OCP Microscaling Formats Specification, which has 0, 0.5, 1, 1.5, 2, 3, 4, 6 and their negatives, and neither
// infinity nor NaN. Conversions to them round once, to nearest even unless another way is named. What is too large
// becomes 6 with its sign, and a NaN 6. There is no arithmetic: it is done in half, bfloat16 or float. Kernels and host
// code may call all of it.
#pragma once
#if !defined(WARPFIBER_OWN_OBJECT) && !defined(__CUDACC__)
#pragma GCC system_header
#endif

#if defined(__CUDACC__) && !defined(__WARPFIBER__)

#include <cuda_fp4.h>

#else

#include <warpfiber/fp8.hpp>

typedef __nv_fp8_storage_t __nv_fp4_storage_t;
typedef __nv_fp8_storage_t __nv_fp4x2_storage_t;
typedef __nv_fp8x2_storage_t __nv_fp4x4_storage_t;

typedef enum __nv_fp4_interpretation_t { __NV_E2M1 } __nv_fp4_interpretation_t;

namespace warpfiber::narrow {

/// Numbers side by side, the first in the lowest bits.
template <class Storage, class... Numbers>
constexpr Storage nibbles(cudaRoundMode rounding, Numbers... numbers) noexcept {
  unsigned all = 0;
  int place = 0;
  ((all |= static_cast<unsigned>(to_code<E2M1>(static_cast<double>(numbers), rounding)) << place, place += 4), ...);
  return static_cast<Storage>(all);
}

constexpr float nibble_at(unsigned all, int place) noexcept {
  return from_byte<E2M1>(static_cast<unsigned char>(all >> (4 * place)));
}

}  // namespace warpfiber::narrow

struct __nv_fp4_e2m1 : warpfiber::narrow::Byte<warpfiber::narrow::E2M1> {
  __nv_fp4_e2m1() = default;
  using warpfiber::narrow::Byte<warpfiber::narrow::E2M1>::Byte;
};

/// Two numbers.
struct __nv_fp4x2_e2m1 {
  __nv_fp4x2_storage_t __x;

  __nv_fp4x2_e2m1() = default;
  explicit __nv_fp4x2_e2m1(__half2 pair) noexcept : __nv_fp4x2_e2m1(__half22float2(pair)) {}
  explicit __nv_fp4x2_e2m1(__nv_bfloat162 pair) noexcept : __nv_fp4x2_e2m1(__bfloat1622float2(pair)) {}
  explicit constexpr __nv_fp4x2_e2m1(float2 pair) noexcept
      : __x(warpfiber::narrow::nibbles<__nv_fp4x2_storage_t>(cudaRoundNearest, pair.x, pair.y)) {}
  explicit constexpr __nv_fp4x2_e2m1(double2 pair) noexcept
      : __x(warpfiber::narrow::nibbles<__nv_fp4x2_storage_t>(cudaRoundNearest, pair.x, pair.y)) {}

  explicit operator float2() const noexcept {
    return make_float2(warpfiber::narrow::nibble_at(__x, 0), warpfiber::narrow::nibble_at(__x, 1));
  }
  explicit operator __half2() const noexcept { return __float22half2_rn(static_cast<float2>(*this)); }
};

/// Four numbers.
struct alignas(2) __nv_fp4x4_e2m1 {
  __nv_fp4x4_storage_t __x;

  __nv_fp4x4_e2m1() = default;
  explicit __nv_fp4x4_e2m1(__half2 low, __half2 high) noexcept
      : __nv_fp4x4_e2m1(__half22float2(low), __half22float2(high)) {}
  explicit __nv_fp4x4_e2m1(__nv_bfloat162 low, __nv_bfloat162 high) noexcept
      : __nv_fp4x4_e2m1(__bfloat1622float2(low), __bfloat1622float2(high)) {}
  explicit constexpr __nv_fp4x4_e2m1(float4 four) noexcept
      : __x(warpfiber::narrow::nibbles<__nv_fp4x4_storage_t>(cudaRoundNearest, four.x, four.y, four.z, four.w)) {}
  template <class Four, class = decltype(Four::w), class = std::enable_if_t<sizeof(Four) == 4 * sizeof(double)>>
  explicit constexpr __nv_fp4x4_e2m1(Four four) noexcept
      : __x(warpfiber::narrow::nibbles<__nv_fp4x4_storage_t>(cudaRoundNearest, four.x, four.y, four.z, four.w)) {}

  explicit operator float4() const noexcept {
    using warpfiber::narrow::nibble_at;
    return make_float4(nibble_at(__x, 0), nibble_at(__x, 1), nibble_at(__x, 2), nibble_at(__x, 3));
  }

 private:
  __nv_fp4x4_e2m1(float2 low, float2 high) noexcept : __nv_fp4x4_e2m1(make_float4(low.x, low.y, high.x, high.y)) {}
};

/// The bits of a number, or of two with the first in the lower four.
constexpr __nv_fp4_storage_t __nv_cvt_double_to_fp4(double x, __nv_fp4_interpretation_t,
                                                    cudaRoundMode rounding) noexcept {
  return warpfiber::narrow::to_code<warpfiber::narrow::E2M1>(x, rounding);
}
constexpr __nv_fp4_storage_t __nv_cvt_float_to_fp4(float x, __nv_fp4_interpretation_t,
                                                   cudaRoundMode rounding) noexcept {
  return warpfiber::narrow::to_code<warpfiber::narrow::E2M1>(static_cast<double>(x), rounding);
}
constexpr __nv_fp4x2_storage_t __nv_cvt_double2_to_fp4x2(double2 x, __nv_fp4_interpretation_t,
                                                         cudaRoundMode rounding) noexcept {
  return warpfiber::narrow::nibbles<__nv_fp4x2_storage_t>(rounding, x.x, x.y);
}
constexpr __nv_fp4x2_storage_t __nv_cvt_float2_to_fp4x2(float2 x, __nv_fp4_interpretation_t,
                                                        cudaRoundMode rounding) noexcept {
  return warpfiber::narrow::nibbles<__nv_fp4x2_storage_t>(rounding, x.x, x.y);
}
WARPFIBER_BYTE_FROM_RAW(fp4, __nv_fp4_interpretation_t, format, cudaRoundMode, rounding)

/// The numbers that these bits are: every one is a half as well.
inline __half_raw __nv_cvt_fp4_to_halfraw(__nv_fp4_storage_t x, __nv_fp4_interpretation_t) noexcept {
  return __float2half(warpfiber::narrow::nibble_at(x, 0));
}
inline __half2_raw __nv_cvt_fp4x2_to_halfraw2(__nv_fp4x2_storage_t x, __nv_fp4_interpretation_t format) noexcept {
  return __half2_raw{__nv_cvt_fp4_to_halfraw(x, format).x,
                     __nv_cvt_fp4_to_halfraw(static_cast<__nv_fp4_storage_t>(x >> 4), format).x};
}

#endif
