// SPDX-License-Identifier: Apache-2.0
//
// PTX instructions on numbers of 16 bits, f16 and bf16, and on pairs of them; and conversions to TF32, and to and from
// pairs of 8, 6 and 4 bits. Arithmetic, sums in memory and conversions are rounded once, as PTX says. Of those whose
// last bits the manual leaves to the device, `ex2.approx` is the H200's, and `tanh.approx` the nearest number. A part
// of ptx.hpp.
#pragma once

#include <warpfiber/intrinsics/atomics.hpp>
#include <warpfiber/intrinsics/narrow_byte.hpp>
#include <warpfiber/intrinsics/narrow_float.hpp>
#include <warpfiber/intrinsics/ptx_conversions.hpp>

#include <cmath>
#include <concepts>
#include <type_traits>

namespace warpfiber::ptx {

/// A number of 16 bits in one of the formats of narrow_float.hpp.
template <class FormatOfIt>
struct NarrowNumber {
  using Format = FormatOfIt;
  narrow::Bits bits_of_it;

  static NarrowNumber nearest(f64 x) { return {narrow::rounded_bits<Format>(x)}; }
  f32 value() const { return narrow::widened<Format>(bits_of_it); }
  bool is_nan() const { return narrow::is_nan<Format>(bits_of_it); }
};
using f16 = NarrowNumber<narrow::Half>;
using bf16 = NarrowNumber<narrow::Bfloat>;

/// Two of them in a word, the first in the lower half.
template <class NumberOfIt>
struct NarrowPair {
  using Number = NumberOfIt;
  u32 bits_of_it;

  NarrowPair() = default;
  NarrowPair(Number low, Number high) : bits_of_it(static_cast<u32>(high.bits_of_it) << 16 | low.bits_of_it) {}
  Number low() const { return {static_cast<narrow::Bits>(bits_of_it)}; }
  Number high() const { return {static_cast<narrow::Bits>(bits_of_it >> 16)}; }
};
using f16x2 = NarrowPair<f16>;
using bf16x2 = NarrowPair<bf16>;

/// A float of which the last 13 bits are not used.
struct tf32 {
  u32 bits_of_it;
};

template <class T>
concept IsNarrow = std::same_as<T, f16> || std::same_as<T, bf16>;
template <class T>
concept IsNarrowPair = std::same_as<T, f16x2> || std::same_as<T, bf16x2>;

namespace narrow_parts {

template <IsNarrow T>
inline T saturated(T x) {
  if (x.is_nan() || (x.bits_of_it & narrow::kSign) != 0) return {0};
  return {x.bits_of_it < T::Format::kOne ? x.bits_of_it : T::Format::kOne};
}
/// Negative numbers become +0; NaN stays.
template <IsNarrow T>
inline T rectified(T x) {
  return !x.is_nan() && (x.bits_of_it & narrow::kSign) != 0 ? T{0} : x;
}
/// The largest number in place of an infinity.
template <IsNarrow T>
inline T finite(T x) {
  return {static_cast<narrow::Bits>(x.bits_of_it - ((x.bits_of_it & ~narrow::kSign) == T::Format::kInfinity ? 1 : 0))};
}
template <IsNarrow T>
inline T fused(T a, T b, T c) {
  return {narrow::fused<typename T::Format>(a.value(), b.value(), c.value())};
}
template <IsNarrow T>
inline T with_sign(T a, bool is_negative) {
  if (a.is_nan()) return {narrow::kNan};
  const int size = a.bits_of_it & ~narrow::kSign;
  return {static_cast<narrow::Bits>(is_negative ? size | narrow::kSign : size)};
}
/// 2^a as an H200 computes it: `a` without what is less than 2^-23, the power rounded to f32, and the upper bits of
/// that. Source: measured for all numbers, tests/programs/recorded_conversions.cu.
template <IsNarrow T>
inline T power_of_two(T a) {
  const f32 power = static_cast<f32>(std::exp2(std::trunc(static_cast<f64>(a.value()) * 0x1p23) * 0x1p-23));
  if (a.is_nan()) return {narrow::kNan};
  if (std::same_as<T, f16> && power >= 65536) return {T::Format::kInfinity};
  if (std::same_as<T, bf16> && power < 0x1p-126F) return {0};
  return {narrow::rounded_bits<typename T::Format, narrow::Toward::kZero>(power)};
}
template <IsNarrow T>
inline T with_sign_of_product(T a, T b, T size) {
  return with_sign(size, ((a.bits_of_it ^ b.bits_of_it) & narrow::kSign) != 0);
}
/// The NaN that copies of tensors write for elements outside, of either sign. Source: measured on an H200,
/// tests/programs/recorded_forms.cu.
template <IsNarrow T>
inline bool is_outside(T a) {
  return (a.bits_of_it & ~narrow::kSign) == 0x7ff7;
}
template <IsNarrow T>
inline T either_nan(T a, T b, T otherwise) {
  return a.is_nan() || b.is_nan() ? T{narrow::kNan} : otherwise;
}

}  // namespace narrow_parts

// An instruction on a number, and on both of a pair.
#define WARPFIBER_PTX_NARROW_1(name, ...)                   \
  template <IsNarrow T>                                     \
  inline T name(T a) {                                      \
    return __VA_ARGS__;                                     \
  }                                                         \
  template <IsNarrowPair T>                                 \
  inline T name(T a) {                                      \
    using Number = typename T::Number;                      \
    return {name<Number>(a.low()), name<Number>(a.high())}; \
  }
#define WARPFIBER_PTX_NARROW_2(name, ...)                                      \
  template <IsNarrow T>                                                        \
  inline T name(T a, T b) {                                                    \
    return __VA_ARGS__;                                                        \
  }                                                                            \
  template <IsNarrowPair T>                                                    \
  inline T name(T a, T b) {                                                    \
    using Number = typename T::Number;                                         \
    return {name<Number>(a.low(), b.low()), name<Number>(a.high(), b.high())}; \
  }
#define WARPFIBER_PTX_NARROW_3(name, ...)                                                         \
  template <IsNarrow T>                                                                           \
  inline T name(T a, T b, T c) {                                                                  \
    return __VA_ARGS__;                                                                           \
  }                                                                                               \
  template <IsNarrowPair T>                                                                       \
  inline T name(T a, T b, T c) {                                                                  \
    using Number = typename T::Number;                                                            \
    return {name<Number>(a.low(), b.low(), c.low()), name<Number>(a.high(), b.high(), c.high())}; \
  }

// Products of these numbers are exact in double, and so are sums whose parts a result of 11 bits has room for.
WARPFIBER_PTX_NARROW_2(add, T::nearest(static_cast<f64>(a.value()) + b.value()))
WARPFIBER_PTX_NARROW_2(sub, T::nearest(static_cast<f64>(a.value()) - b.value()))
WARPFIBER_PTX_NARROW_2(mul, T::nearest(static_cast<f64>(a.value()) * b.value()))
WARPFIBER_PTX_NARROW_3(fma, narrow_parts::fused(a, b, c))
WARPFIBER_PTX_NARROW_2(add_sat, narrow_parts::saturated(add<T>(a, b)))
WARPFIBER_PTX_NARROW_2(sub_sat, narrow_parts::saturated(sub<T>(a, b)))
WARPFIBER_PTX_NARROW_2(mul_sat, narrow_parts::saturated(mul<T>(a, b)))
WARPFIBER_PTX_NARROW_3(fma_sat, narrow_parts::saturated(fma<T>(a, b, c)))
WARPFIBER_PTX_NARROW_3(fma_relu, narrow_parts::rectified(fma<T>(a, b, c)))
WARPFIBER_PTX_NARROW_3(fma_oob, narrow_parts::is_outside(a) || narrow_parts::is_outside(b) ? T{0} : fma<T>(a, b, c))
WARPFIBER_PTX_NARROW_3(fma_oob_relu, narrow_parts::rectified(fma_oob<T>(a, b, c)))
WARPFIBER_PTX_NARROW_1(neg, narrow_parts::with_sign(a, (a.bits_of_it & narrow::kSign) == 0))
WARPFIBER_PTX_NARROW_1(abs, narrow_parts::with_sign(a, false))
/// The number where one is NaN; of two zeros of either sign the one that the name says.
WARPFIBER_PTX_NARROW_2(min, T::nearest(::min(a.value(), b.value())))
WARPFIBER_PTX_NARROW_2(max, T::nearest(::max(a.value(), b.value())))
WARPFIBER_PTX_NARROW_2(min_NaN, narrow_parts::either_nan(a, b, min<T>(a, b)))
WARPFIBER_PTX_NARROW_2(max_NaN, narrow_parts::either_nan(a, b, max<T>(a, b)))
WARPFIBER_PTX_NARROW_2(min_xorsign_abs, narrow_parts::with_sign_of_product(a, b, min<T>(abs<T>(a), abs<T>(b))))
WARPFIBER_PTX_NARROW_2(max_xorsign_abs, narrow_parts::with_sign_of_product(a, b, max<T>(abs<T>(a), abs<T>(b))))
WARPFIBER_PTX_NARROW_2(min_NaN_xorsign_abs, narrow_parts::either_nan(a, b, min_xorsign_abs<T>(a, b)))
WARPFIBER_PTX_NARROW_2(max_NaN_xorsign_abs, narrow_parts::either_nan(a, b, max_xorsign_abs<T>(a, b)))
WARPFIBER_PTX_NARROW_1(ex2, narrow_parts::power_of_two(a))
WARPFIBER_PTX_NARROW_1(tanh, T::nearest(std::tanh(static_cast<f64>(a.value()))))
#undef WARPFIBER_PTX_NARROW_1
#undef WARPFIBER_PTX_NARROW_2
#undef WARPFIBER_PTX_NARROW_3

// Sums of f32 with a narrow number, or the product of two.
#define WARPFIBER_PTX_MIXED(modifiers)                   \
  template <class To, IsNarrow T>                        \
  requires std::same_as<To, f32>                         \
  inline f32 add##modifiers(T a, f32 c) {                \
    return add##modifiers<f32>(a.value(), c);            \
  }                                                      \
  template <class To, IsNarrow T>                        \
  requires std::same_as<To, f32>                         \
  inline f32 sub##modifiers(T a, f32 c) {                \
    return sub##modifiers<f32>(a.value(), c);            \
  }                                                      \
  template <class To, IsNarrow T>                        \
  requires std::same_as<To, f32>                         \
  inline f32 fma##modifiers(T a, T b, f32 c) {           \
    return fma##modifiers<f32>(a.value(), b.value(), c); \
  }
WARPFIBER_PTX_MIXED()
WARPFIBER_PTX_MIXED(_rz)
WARPFIBER_PTX_MIXED(_rm)
WARPFIBER_PTX_MIXED(_rp)
WARPFIBER_PTX_MIXED(_sat)
WARPFIBER_PTX_MIXED(_rz_sat)
WARPFIBER_PTX_MIXED(_rm_sat)
WARPFIBER_PTX_MIXED(_rp_sat)
#undef WARPFIBER_PTX_MIXED

/// Negative numbers become +0; NaN stays.
inline f32 rectified_single(f32 x) {
  return std::signbit(x) && x == x ? 0 : x;
}
/// Infinities and NaNs keep being such.
inline tf32 tf32_from(f32 x, u32 added) {
  const u32 bits = std::bit_cast<u32>(x);
  constexpr u32 kDropped = 0x1fff;
  if (x != x) return {0x7fffe000U};
  return {((bits & 0x7fffffffU) == 0x7f800000U ? bits : bits + added) & ~kDropped};
}

/// A test of both numbers of a pair.
struct PairTest {
  pred low, high;
};
#define WARPFIBER_PTX_NARROW_COMPARISON(name)                                                \
  template <IsNarrow T>                                                                      \
  inline pred setp_##name(T a, T b) {                                                        \
    return setp_##name<f32>(a.value(), b.value());                                           \
  }                                                                                          \
  template <IsNarrowPair T>                                                                  \
  inline PairTest setp_##name(T a, T b) {                                                    \
    using Number = typename T::Number;                                                       \
    return {setp_##name<Number>(a.low(), b.low()), setp_##name<Number>(a.high(), b.high())}; \
  }
WARPFIBER_PTX_NARROW_COMPARISON(eq)
WARPFIBER_PTX_NARROW_COMPARISON(ne)
WARPFIBER_PTX_NARROW_COMPARISON(lt)
WARPFIBER_PTX_NARROW_COMPARISON(le)
WARPFIBER_PTX_NARROW_COMPARISON(gt)
WARPFIBER_PTX_NARROW_COMPARISON(ge)
WARPFIBER_PTX_NARROW_COMPARISON(num)
WARPFIBER_PTX_NARROW_COMPARISON(nan)
WARPFIBER_PTX_NARROW_COMPARISON(equ)
WARPFIBER_PTX_NARROW_COMPARISON(neu)
WARPFIBER_PTX_NARROW_COMPARISON(ltu)
WARPFIBER_PTX_NARROW_COMPARISON(leu)
WARPFIBER_PTX_NARROW_COMPARISON(gtu)
WARPFIBER_PTX_NARROW_COMPARISON(geu)
#undef WARPFIBER_PTX_NARROW_COMPARISON

// What `set` writes for a test, or for that of both numbers of a pair: 1 or 0, of words all bits of a half or none.
template <IsNarrow T>
inline T truth(pred is) {
  return {is ? T::Format::kOne : narrow::Bits{0}};
}
template <class T>
inline T truth(pred low, pred high) {
  if constexpr (IsNarrowPair<T>)
    return {truth<typename T::Number>(low), truth<typename T::Number>(high)};
  else
    return static_cast<T>((low ? 0xffffU : 0U) | (high ? 0xffff0000U : 0U));
}

// Conversions from numbers of 16 bits: those of the float that they are.
#define WARPFIBER_PTX_NARROW_CONVERSION(name) \
  template <class To, IsNarrow From>          \
  requires std::is_arithmetic_v<To>           \
  inline To name(From x) {                    \
    return ptx::name<To, f32>(x.value());     \
  }
WARPFIBER_PTX_NARROW_CONVERSION(cvt)
WARPFIBER_PTX_NARROW_CONVERSION(cvt_sat)
WARPFIBER_PTX_NARROW_CONVERSION(cvt_rni)
WARPFIBER_PTX_NARROW_CONVERSION(cvt_rzi)
WARPFIBER_PTX_NARROW_CONVERSION(cvt_rmi)
WARPFIBER_PTX_NARROW_CONVERSION(cvt_rpi)
WARPFIBER_PTX_NARROW_CONVERSION(cvt_rni_sat)
WARPFIBER_PTX_NARROW_CONVERSION(cvt_rzi_sat)
WARPFIBER_PTX_NARROW_CONVERSION(cvt_rmi_sat)
WARPFIBER_PTX_NARROW_CONVERSION(cvt_rpi_sat)
#undef WARPFIBER_PTX_NARROW_CONVERSION

// Conversions to numbers of 16 bits, from integers, from real numbers and between the formats.
template <IsNarrow To, narrow::Toward kToward, class From>
inline To narrowed(From x) {
  if constexpr (IsNarrow<From>) {
    return {narrow::rounded_bits<typename To::Format, kToward>(x.value())};
  } else if constexpr (std::is_floating_point_v<From>) {
    return {narrow::rounded_bits<typename To::Format, kToward>(x)};
  } else {
    return {narrow::from_integer<typename To::Format, kToward>(x)};
  }
}
#define WARPFIBER_PTX_NARROW_FORM(name, ...)                                              \
  template <IsNarrow To, class From>                                                      \
  inline To name(From x) {                                                                \
    return __VA_ARGS__;                                                                   \
  }                                                                                       \
  /* The first source becomes the upper half. */                                          \
  template <IsNarrowPair To, class From>                                                  \
  inline To name(From high, From low) {                                                   \
    return {name<typename To::Number, From>(low), name<typename To::Number, From>(high)}; \
  }
#define WARPFIBER_PTX_NARROW_CONVERSION(name, toward)                                  \
  WARPFIBER_PTX_NARROW_FORM(name, narrowed<To, narrow::Toward::toward>(x))             \
  WARPFIBER_PTX_NARROW_FORM(name##_sat, narrow_parts::saturated(name<To, From>(x)))    \
  WARPFIBER_PTX_NARROW_FORM(name##_relu, narrow_parts::rectified(name<To, From>(x)))   \
  WARPFIBER_PTX_NARROW_FORM(name##_satfinite, narrow_parts::finite(name<To, From>(x))) \
  WARPFIBER_PTX_NARROW_FORM(name##_satfinite_relu, narrow_parts::finite(name##_relu<To, From>(x)))
WARPFIBER_PTX_NARROW_CONVERSION(cvt, kNearest)
WARPFIBER_PTX_NARROW_CONVERSION(cvt_rz, kZero)
WARPFIBER_PTX_NARROW_CONVERSION(cvt_rm, kDown)
WARPFIBER_PTX_NARROW_CONVERSION(cvt_rp, kUp)
#undef WARPFIBER_PTX_NARROW_CONVERSION
#undef WARPFIBER_PTX_NARROW_FORM

// Sums in memory. Each number of a pair is an atomic of its own (PTX ISA, "atom").

struct NarrowSumInMemory {
  template <IsNarrow T>
  static T next(T old, T value, const void*) {
    return add<T>(old, value);
  }
};

template <IsNarrow T, int kOrder = __ATOMIC_RELAXED>
inline T atom_add_noftz(T* p, T value, Site site = Site::here()) {
  if constexpr (detail::kRunsAsRegions) {
    auto* const bits = reinterpret_cast<narrow::Bits*>(p);
    if constexpr (std::same_as<T, f16>) return {warpfiber_regions_plain_add_half(bits, value.bits_of_it)};
    return {warpfiber_regions_plain_add_bfloat16(bits, value.bits_of_it)};
  } else {
    return detail::atomic_update<NarrowSumInMemory>(p, value, site, kOrder);
  }
}
template <IsNarrowPair T, int kOrder = __ATOMIC_RELAXED>
inline T atom_add_noftz(T* p, T value, Site site = Site::here()) {
  using Number = typename T::Number;
  Number* const numbers = reinterpret_cast<Number*>(p);
  const Number low = atom_add_noftz<Number, kOrder>(numbers, value.low(), site);
  return {low, atom_add_noftz<Number, kOrder>(numbers + 1, value.high(), site)};
}
template <class T, int kOrder = __ATOMIC_RELAXED>
inline void red_add_noftz(T* p, T value, Site site = Site::here()) {
  atom_add_noftz<T, kOrder>(p, value, site);
}

// To TF32: to nearest with ties away from zero (rna), or as named. Of a NaN, rna keeps the bits that TF32 has; the
// others return 0x7fffe000, as an H200 does.
template <class To, class From>
requires std::same_as<To, tf32>
inline tf32 cvt_rna(From x) {
  return x != x ? tf32{std::bit_cast<u32>(x) & 0xffffe000U} : tf32_from(x, 0x1000);
}
template <class To, class From>
requires std::same_as<To, tf32>
inline tf32 cvt(From x) {
  return tf32_from(x, 0xfff + (std::bit_cast<u32>(x) >> 13 & 1));
}
template <class To, class From>
requires std::same_as<To, tf32>
inline tf32 cvt_rz(From x) {
  return tf32_from(x, 0);
}
/// The largest number in place of an infinity.
inline tf32 finite_tf32(tf32 x) {
  constexpr u32 kInfinity = 0x7f800000, kLast = 0x2000;
  return {x.bits_of_it - ((x.bits_of_it & 0x7fffffffU) == kInfinity ? kLast : 0)};
}
/// Of a NaN what an H200 makes of it: the number before it.
inline tf32 finite_tf32_of_rna(f32 x) {
  const tf32 rounded = cvt_rna<tf32, f32>(x);
  return x != x ? tf32{rounded.bits_of_it - 0x2000} : finite_tf32(rounded);
}
#define WARPFIBER_PTX_TF32(name, ...) \
  template <class To, class From>     \
  requires std::same_as<To, tf32>     \
  inline tf32 name(From x) {          \
    return __VA_ARGS__;               \
  }
WARPFIBER_PTX_TF32(cvt_relu, cvt<To, From>(rectified_single(x)))
WARPFIBER_PTX_TF32(cvt_rz_relu, cvt_rz<To, From>(rectified_single(x)))
WARPFIBER_PTX_TF32(cvt_rna_satfinite, finite_tf32_of_rna(x))
WARPFIBER_PTX_TF32(cvt_satfinite, finite_tf32(cvt<To, From>(x)))
WARPFIBER_PTX_TF32(cvt_rz_satfinite, finite_tf32(cvt_rz<To, From>(x)))
WARPFIBER_PTX_TF32(cvt_satfinite_relu, finite_tf32(cvt_relu<To, From>(x)))
WARPFIBER_PTX_TF32(cvt_rz_satfinite_relu, finite_tf32(cvt_rz_relu<To, From>(x)))
#undef WARPFIBER_PTX_TF32

/// Two numbers of 8, 6 or 4 bits, each in half of the storage, the first in the lower one.
template <class FormatOfIt, class Storage>
struct BytePair {
  using Format = FormatOfIt;
  static constexpr int kPlace = 4 * sizeof(Storage);
  Storage bits_of_it;

  BytePair() = default;
  BytePair(f32 low, f32 high)
      : bits_of_it(static_cast<Storage>(narrow::to_byte_of<Format>(high, true) << kPlace |
                                        narrow::to_byte_of<Format>(low, true))) {}
  f32 number(int at) const {
    return narrow::from_byte<Format>(static_cast<unsigned char>(bits_of_it >> (kPlace * at)));
  }
};
using e4m3x2 = BytePair<narrow::E4M3, u16>;
using e5m2x2 = BytePair<narrow::E5M2, u16>;
using e2m3x2 = BytePair<narrow::E2M3, u16>;
using e3m2x2 = BytePair<narrow::E3M2, u16>;
using e2m1x2 = BytePair<narrow::E2M1, u8>;

template <class T>
concept IsBytePair = requires {
  T::kPlace;
};

template <IsBytePair To, class From>
inline To cvt_satfinite(f32 high, f32 low) {
  return {low, high};
}
template <IsBytePair To, class From>
inline To cvt_satfinite_relu(f32 high, f32 low) {
  return {rectified_single(low), rectified_single(high)};
}
template <IsBytePair To, class From>
requires std::same_as<From, f16x2>
inline To cvt_satfinite(f16x2 pair) {
  return {pair.low().value(), pair.high().value()};
}
template <IsBytePair To, class From>
requires std::same_as<From, f16x2>
inline To cvt_satfinite_relu(f16x2 pair) {
  return {rectified_single(pair.low().value()), rectified_single(pair.high().value())};
}
template <class To, IsBytePair From>
requires std::same_as<To, f16x2>
inline f16x2 cvt(From pair) {
  return {f16::nearest(pair.number(0)), f16::nearest(pair.number(1))};
}
template <class To, IsBytePair From>
requires std::same_as<To, f16x2>
inline f16x2 cvt_relu(From pair) {
  return {f16::nearest(rectified_single(pair.number(0))), f16::nearest(rectified_single(pair.number(1)))};
}

/// Two scales, powers of two, the first in the lower half.
struct ue8m0x2 {
  u16 bits_of_it;
};
#define WARPFIBER_PTX_SCALES(name, saturates, up)                                                  \
  template <class To, class From>                                                                  \
  requires std::same_as<To, ue8m0x2>                                                               \
  inline To name(f32 high, f32 low) {                                                              \
    const auto scale = [](f32 x) { return narrow::to_scale(static_cast<f64>(x), saturates, up); }; \
    return {static_cast<u16>(scale(high) << 8 | scale(low))};                                      \
  }                                                                                                \
  template <class To, class From>                                                                  \
  requires std::same_as<To, ue8m0x2>                                                               \
  inline To name(bf16x2 pair) {                                                                    \
    return name<To, f32>(pair.high().value(), pair.low().value());                                 \
  }
WARPFIBER_PTX_SCALES(cvt_rz, false, false)
WARPFIBER_PTX_SCALES(cvt_rp, false, true)
WARPFIBER_PTX_SCALES(cvt_rz_satfinite, true, false)
WARPFIBER_PTX_SCALES(cvt_rp_satfinite, true, true)
#undef WARPFIBER_PTX_SCALES
template <class To, class From>
requires std::same_as<From, ue8m0x2>
inline bf16x2 cvt(From scales) {
  const auto number = [scales](int at) {
    const auto code = static_cast<unsigned char>(scales.bits_of_it >> (8 * at));
    return bf16{static_cast<narrow::Bits>(std::bit_cast<u32>(narrow::from_byte<narrow::E8M0>(code)) >> 16)};
  };
  return {number(0), number(1)};
}

}  // namespace warpfiber::ptx
