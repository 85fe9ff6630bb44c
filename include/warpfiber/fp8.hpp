// SPDX-License-Identifier: Apache-2.0
//
// CUDA's floating-point numbers of 8 bits, one, two or four in an object (CUDA Math API, "FP8 Intrinsics"): e4m3 with
// four bits of exponent and three of fraction, no infinity and numbers up to 448; e5m2 with five and two, up to 57,344.
// Conversions to them round once, to nearest even; what is too large becomes the largest number or, with __NV_NOSAT,
// e5m2's infinity and e4m3's NaN. There is no arithmetic: it is done in half, bfloat16 or float. Kernels and host code
// may call all of it. e8m0, the type of scales, is an exponent alone: powers of two from 2^-127 to 2^127, and a NaN;
// the sign of what is converted to it is dropped, as on an H200.
#pragma once
#if !defined(WARPFIBER_OWN_OBJECT) && !defined(__CUDACC__)
#pragma GCC system_header
#endif

#if defined(__CUDACC__) && !defined(__WARPFIBER__)

#include <cuda_fp8.h>

#else

#include <warpfiber/cuda/api/round_mode.h>
#include <warpfiber/bfloat16.hpp>
#include <warpfiber/detail/vector_types.hpp>
#include <warpfiber/intrinsics/narrow_byte.hpp>

#include <type_traits>

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned __nv_fp8x4_storage_t;

/// What a conversion makes of numbers beyond the largest: infinity or NaN, or the largest itself.
typedef enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE } __nv_saturation_t;
typedef enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 } __nv_fp8_interpretation_t;

namespace warpfiber::narrow {

/// x in the given format.
template <class Format, class Real>
constexpr unsigned char to_byte(Real x, __nv_saturation_t saturation) noexcept {
  return to_byte_of<Format>(x, saturation == __NV_SATFINITE);
}

/// Conversions of the class round away from zero, so that a scale is never too small.
template <>
constexpr unsigned char to_byte<E8M0>(double x, __nv_saturation_t saturation) noexcept {
  return to_scale(x, saturation == __NV_SATFINITE, true);
}
template <>
constexpr unsigned char to_byte<E8M0>(float x, __nv_saturation_t saturation) noexcept {
  return to_scale(static_cast<double>(x), saturation == __NV_SATFINITE, true);
}

/// x in a format that is finite, as fp6.hpp and fp4.hpp have them.
template <class Format>
constexpr unsigned char to_code(double x, cudaRoundMode rounding) noexcept {
  const Toward toward = rounding == cudaRoundZero     ? Toward::kZero
                        : rounding == cudaRoundMinInf ? Toward::kDown
                        : rounding == cudaRoundPosInf ? Toward::kUp
                                                      : Toward::kNearest;
  return to_code<Format>(x, toward);
}

/// Rounded towards zero; out of range the nearest number, of a NaN 0, of 64 bits 0x8000000000000000.
template <class Integer>
constexpr Integer whole_part(float x) noexcept {
  constexpr bool kSigned = std::is_signed_v<Integer>;
  constexpr int kDigits = 8 * static_cast<int>(sizeof(Integer)) - (kSigned ? 1 : 0);
  constexpr Integer kMost = static_cast<Integer>(~0ULL >> (64 - kDigits));
  constexpr Integer kLeast = kSigned ? static_cast<Integer>(-kMost - 1) : Integer{0};
  if (x != x) return sizeof(Integer) == 8 ? static_cast<Integer>(1ULL << 63) : Integer{0};
  const float limit = static_cast<float>(1ULL << (kDigits - 1)) * 2;
  if (x >= limit) return kMost;
  if (x <= -limit || (!kSigned && x < 0)) return kLeast;
  return static_cast<Integer>(x);
}

/// One number of eight bits.
template <class Format>
struct Byte {
  __nv_fp8_storage_t __x;

  Byte() = default;
  explicit constexpr Byte(__half value) noexcept : Byte(widened<Half>(bits_of(value))) {}
  explicit constexpr Byte(__nv_bfloat16 value) noexcept : Byte(widened<Bfloat>(bits_of(value))) {}
  template <class Number, class = std::enable_if_t<std::is_arithmetic_v<Number>>>
  explicit constexpr Byte(Number value) noexcept
      : __x(to_byte<Format>(std::conditional_t<std::is_same_v<Number, double>, double, float>(value), __NV_SATFINITE)) {
  }

  constexpr float number() const noexcept { return from_byte<Format>(__x); }
  explicit operator __half() const noexcept { return __float2half(number()); }
  explicit operator __nv_bfloat16() const noexcept { return __float2bfloat16(number()); }
  explicit constexpr operator float() const noexcept { return number(); }
  explicit constexpr operator double() const noexcept { return static_cast<double>(number()); }
  explicit constexpr operator bool() const noexcept { return number() != 0; }
  template <class Integer, class = std::enable_if_t<std::is_integral_v<Integer>>>
  explicit constexpr operator Integer() const noexcept {
    return whole_part<Integer>(number());
  }
};

/// Numbers side by side, the first in the lowest bits.
template <class Format, class Storage, class... Numbers>
constexpr Storage side_by_side(__nv_saturation_t saturation, Numbers... numbers) noexcept {
  Storage all = 0;
  int place = 0;
  ((all = static_cast<Storage>(all | static_cast<Storage>(to_byte<Format>(numbers, saturation)) << place), place += 8),
   ...);
  return all;
}

template <class Format>
constexpr float number_at(unsigned all, int place) noexcept {
  return from_byte<Format>(static_cast<unsigned char>(all >> (8 * place)));
}

/// Two numbers.
template <class Format>
struct BytePair {
  __nv_fp8x2_storage_t __x;

  BytePair() = default;
  explicit BytePair(__half2 pair) noexcept : BytePair(__half22float2(pair)) {}
  explicit BytePair(__nv_bfloat162 pair) noexcept : BytePair(__bfloat1622float2(pair)) {}
  explicit constexpr BytePair(float2 pair) noexcept
      : __x(side_by_side<Format, __nv_fp8x2_storage_t>(__NV_SATFINITE, pair.x, pair.y)) {}
  explicit constexpr BytePair(double2 pair) noexcept
      : __x(side_by_side<Format, __nv_fp8x2_storage_t>(__NV_SATFINITE, pair.x, pair.y)) {}

  explicit operator float2() const noexcept {
    return make_float2(number_at<Format>(__x, 0), number_at<Format>(__x, 1));
  }
  explicit operator __half2() const noexcept { return __float22half2_rn(static_cast<float2>(*this)); }
};

/// Four numbers.
template <class Format>
struct ByteQuad {
  __nv_fp8x4_storage_t __x;

  ByteQuad() = default;
  explicit ByteQuad(__half2 low, __half2 high) noexcept : ByteQuad(__half22float2(low), __half22float2(high)) {}
  explicit ByteQuad(__nv_bfloat162 low, __nv_bfloat162 high) noexcept
      : ByteQuad(__bfloat1622float2(low), __bfloat1622float2(high)) {}
  explicit constexpr ByteQuad(float4 four) noexcept
      : __x(side_by_side<Format, __nv_fp8x4_storage_t>(__NV_SATFINITE, four.x, four.y, four.z, four.w)) {}
  template <class Four, class = decltype(Four::w), class = std::enable_if_t<sizeof(Four) == 4 * sizeof(double)>>
  explicit constexpr ByteQuad(Four four) noexcept
      : __x(side_by_side<Format, __nv_fp8x4_storage_t>(__NV_SATFINITE, four.x, four.y, four.z, four.w)) {}

  explicit operator float4() const noexcept {
    return make_float4(number_at<Format>(__x, 0), number_at<Format>(__x, 1), number_at<Format>(__x, 2),
                       number_at<Format>(__x, 3));
  }

 private:
  ByteQuad(float2 low, float2 high) noexcept : ByteQuad(make_float4(low.x, low.y, high.x, high.y)) {}
};

/// Calls use(Format) with the format of that name.
template <class Use>
constexpr auto with_format(__nv_fp8_interpretation_t format, Use use) noexcept {
  return format == __NV_E5M2 ? use(E5M2{}) : use(E4M3{});
}

}  // namespace warpfiber::narrow

/// A type of this name for numbers of a format, one (Byte), two or four.
#define WARPFIBER_BYTE_TYPE(T, Base, Format, bytes)                              \
  struct alignas(bytes) T : warpfiber::narrow::Base<warpfiber::narrow::Format> { \
    T() = default;                                                               \
    using warpfiber::narrow::Base<warpfiber::narrow::Format>::Base;              \
  };
WARPFIBER_BYTE_TYPE(__nv_fp8_e5m2, Byte, E5M2, 1)
WARPFIBER_BYTE_TYPE(__nv_fp8x2_e5m2, BytePair, E5M2, 2)
WARPFIBER_BYTE_TYPE(__nv_fp8x4_e5m2, ByteQuad, E5M2, 4)
WARPFIBER_BYTE_TYPE(__nv_fp8_e4m3, Byte, E4M3, 1)
WARPFIBER_BYTE_TYPE(__nv_fp8x2_e4m3, BytePair, E4M3, 2)
WARPFIBER_BYTE_TYPE(__nv_fp8x4_e4m3, ByteQuad, E4M3, 4)
WARPFIBER_BYTE_TYPE(__nv_fp8_e8m0, Byte, E8M0, 1)
WARPFIBER_BYTE_TYPE(__nv_fp8x2_e8m0, BytePair, E8M0, 2)
WARPFIBER_BYTE_TYPE(__nv_fp8x4_e8m0, ByteQuad, E8M0, 4)

/// The conversions of what a half or bfloat16 keeps, one or two, to a format: by those of floats, which come before.
#define WARPFIBER_BYTE_FROM_RAW(format_name, First, first, Second, second)                                             \
  inline __nv_##format_name##_storage_t __nv_cvt_halfraw_to_##format_name(__half_raw x, First first,                   \
                                                                          Second second) noexcept {                    \
    return __nv_cvt_float_to_##format_name(warpfiber::narrow::widened<warpfiber::narrow::Half>(x.x), first, second);   \
  }                                                                                                                    \
  inline __nv_##format_name##_storage_t __nv_cvt_bfloat16raw_to_##format_name(__nv_bfloat16_raw x, First first,        \
                                                                              Second second) noexcept {                \
    return __nv_cvt_float_to_##format_name(warpfiber::narrow::widened<warpfiber::narrow::Bfloat>(x.x), first, second); \
  }                                                                                                                    \
  inline __nv_##format_name##x2_storage_t __nv_cvt_halfraw2_to_##format_name##x2(__half2_raw x, First first,           \
                                                                                 Second second) noexcept {             \
    using warpfiber::narrow::Half;                                                                                     \
    using warpfiber::narrow::widened;                                                                                  \
    return __nv_cvt_float2_to_##format_name##x2(make_float2(widened<Half>(x.x), widened<Half>(x.y)), first, second);   \
  }                                                                                                                    \
  inline __nv_##format_name##x2_storage_t __nv_cvt_bfloat16raw2_to_##format_name##x2(                                  \
      __nv_bfloat162_raw x, First first, Second second) noexcept {                                                     \
    using warpfiber::narrow::Bfloat;                                                                                   \
    using warpfiber::narrow::widened;                                                                                  \
    return __nv_cvt_float2_to_##format_name##x2(make_float2(widened<Bfloat>(x.x), widened<Bfloat>(x.y)), first,        \
                                                second);                                                               \
  }

/// The bits of a number, or of two with the first in the lower half, in the format that is named.
constexpr __nv_fp8_storage_t __nv_cvt_double_to_fp8(double x, __nv_saturation_t saturate,
                                                    __nv_fp8_interpretation_t format) noexcept {
  return warpfiber::narrow::with_format(
      format, [=](auto kind) { return warpfiber::narrow::to_byte<decltype(kind)>(x, saturate); });
}
constexpr __nv_fp8_storage_t __nv_cvt_float_to_fp8(float x, __nv_saturation_t saturate,
                                                   __nv_fp8_interpretation_t format) noexcept {
  return warpfiber::narrow::with_format(
      format, [=](auto kind) { return warpfiber::narrow::to_byte<decltype(kind)>(x, saturate); });
}
constexpr __nv_fp8x2_storage_t __nv_cvt_double2_to_fp8x2(double2 x, __nv_saturation_t saturate,
                                                         __nv_fp8_interpretation_t format) noexcept {
  return warpfiber::narrow::with_format(format, [=](auto kind) {
    return warpfiber::narrow::side_by_side<decltype(kind), __nv_fp8x2_storage_t>(saturate, x.x, x.y);
  });
}
constexpr __nv_fp8x2_storage_t __nv_cvt_float2_to_fp8x2(float2 x, __nv_saturation_t saturate,
                                                        __nv_fp8_interpretation_t format) noexcept {
  return warpfiber::narrow::with_format(format, [=](auto kind) {
    return warpfiber::narrow::side_by_side<decltype(kind), __nv_fp8x2_storage_t>(saturate, x.x, x.y);
  });
}
WARPFIBER_BYTE_FROM_RAW(fp8, __nv_saturation_t, saturate, __nv_fp8_interpretation_t, format)

/// The scale of a number: cudaRoundPosInf rounds its size up, cudaRoundZero down; the sign is dropped.
constexpr __nv_fp8_storage_t __nv_cvt_double_to_e8m0(double x, __nv_saturation_t saturate,
                                                     cudaRoundMode rounding) noexcept {
  return warpfiber::narrow::to_scale(x, saturate == __NV_SATFINITE, rounding == cudaRoundPosInf);
}
constexpr __nv_fp8_storage_t __nv_cvt_float_to_e8m0(float x, __nv_saturation_t saturate,
                                                    cudaRoundMode rounding) noexcept {
  return __nv_cvt_double_to_e8m0(static_cast<double>(x), saturate, rounding);
}
inline __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_e8m0(__nv_bfloat16_raw x, __nv_saturation_t saturate,
                                                       cudaRoundMode rounding) noexcept {
  return __nv_cvt_float_to_e8m0(warpfiber::narrow::widened<warpfiber::narrow::Bfloat>(x.x), saturate, rounding);
}
constexpr __nv_fp8x2_storage_t __nv_cvt_double2_to_e8m0x2(double2 x, __nv_saturation_t saturate,
                                                          cudaRoundMode rounding) noexcept {
  return static_cast<__nv_fp8x2_storage_t>(__nv_cvt_double_to_e8m0(x.x, saturate, rounding) |
                                           __nv_cvt_double_to_e8m0(x.y, saturate, rounding) << 8);
}
constexpr __nv_fp8x2_storage_t __nv_cvt_float2_to_e8m0x2(float2 x, __nv_saturation_t saturate,
                                                         cudaRoundMode rounding) noexcept {
  return static_cast<__nv_fp8x2_storage_t>(__nv_cvt_float_to_e8m0(x.x, saturate, rounding) |
                                           __nv_cvt_float_to_e8m0(x.y, saturate, rounding) << 8);
}
inline __nv_fp8x2_storage_t __nv_cvt_bfloat162raw_to_e8m0x2(__nv_bfloat162_raw x, __nv_saturation_t saturate,
                                                            cudaRoundMode rounding) noexcept {
  return static_cast<__nv_fp8x2_storage_t>(__nv_cvt_bfloat16raw_to_e8m0(__nv_bfloat16_raw{x.x}, saturate, rounding) |
                                           __nv_cvt_bfloat16raw_to_e8m0(__nv_bfloat16_raw{x.y}, saturate, rounding)
                                               << 8);
}

/// The scales that these bits are.
inline __nv_bfloat16_raw __nv_cvt_e8m0_to_bf16raw(__nv_fp8_storage_t x) noexcept {
  const auto bits = __builtin_bit_cast(unsigned, warpfiber::narrow::from_byte<warpfiber::narrow::E8M0>(x));
  return __nv_bfloat16_raw{static_cast<unsigned short>(bits >> 16)};
}
inline __nv_bfloat162_raw __nv_cvt_e8m0x2_to_bf162raw(__nv_fp8x2_storage_t x) noexcept {
  return __nv_bfloat162_raw{__nv_cvt_e8m0_to_bf16raw(static_cast<__nv_fp8_storage_t>(x)).x,
                            __nv_cvt_e8m0_to_bf16raw(static_cast<__nv_fp8_storage_t>(x >> 8)).x};
}

/// The numbers that these bits are: every one is a half as well.
inline __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t x, __nv_fp8_interpretation_t format) noexcept {
  return warpfiber::narrow::with_format(
      format, [=](auto kind) -> __half_raw { return __float2half(warpfiber::narrow::from_byte<decltype(kind)>(x)); });
}
inline __half2_raw __nv_cvt_fp8x2_to_halfraw2(__nv_fp8x2_storage_t x, __nv_fp8_interpretation_t format) noexcept {
  return __half2_raw{__nv_cvt_fp8_to_halfraw(static_cast<__nv_fp8_storage_t>(x), format).x,
                     __nv_cvt_fp8_to_halfraw(static_cast<__nv_fp8_storage_t>(x >> 8), format).x};
}

#endif
