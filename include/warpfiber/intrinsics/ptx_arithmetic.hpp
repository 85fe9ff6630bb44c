// SPDX-License-Identifier: Apache-2.0
//
// The types of PTX and its instructions that compute: integers, bits, real numbers. A part of ptx.hpp.
#pragma once

#include <warpfiber/intrinsics/cast.hpp>
#include <warpfiber/intrinsics/integer.hpp>
#include <warpfiber/intrinsics/math_rounding.hpp>
#include <warpfiber/intrinsics/simd.hpp>

#include <bit>
#include <cmath>
#include <cstddef>
#include <limits>
#include <type_traits>

namespace warpfiber::ptx {

using u8 = unsigned char;
using u16 = unsigned short;
using u32 = unsigned;
using u64 = unsigned long long;
using s8 = signed char;
using s16 = short;
using s32 = int;
using s64 = long long;
using b8 = u8;
using b16 = u16;
using b32 = u32;
using b64 = u64;
using f32 = float;
using f64 = double;
using pred = bool;

template <std::size_t kBytes, bool kSigned>
struct IntegerOf;
template <>
struct IntegerOf<1, false> {
  using Type = u8;
};
template <>
struct IntegerOf<2, false> {
  using Type = u16;
};
template <>
struct IntegerOf<4, false> {
  using Type = u32;
};
template <>
struct IntegerOf<8, false> {
  using Type = u64;
};
template <>
struct IntegerOf<16, false> {
  __extension__ typedef unsigned __int128 Type;
};
template <>
struct IntegerOf<1, true> {
  using Type = s8;
};
template <>
struct IntegerOf<2, true> {
  using Type = s16;
};
template <>
struct IntegerOf<4, true> {
  using Type = s32;
};
template <>
struct IntegerOf<8, true> {
  using Type = s64;
};
template <>
struct IntegerOf<16, true> {
  __extension__ typedef __int128 Type;
};

using b128 = typename IntegerOf<16, false>::Type;

/// The type twice as wide as T.
template <class T>
using wide = typename IntegerOf<2 * sizeof(T), std::is_signed_v<T>>::Type;
/// T without its sign.
template <class T>
using bits = typename IntegerOf<sizeof(T), false>::Type;

/// An operand as a T.
template <class T, class Operand>
inline T read(const Operand& operand) {
  const std::remove_cv_t<Operand> x = operand;
  if constexpr (std::is_same_v<T, bool>) {
    return x != std::remove_cv_t<Operand>{};
  } else if constexpr (sizeof(T) == sizeof(Operand)) {
    return __builtin_bit_cast(T, x);
  } else if constexpr (std::is_integral_v<Operand> && std::is_class_v<T>) {
    return __builtin_bit_cast(T, static_cast<bits<T>>(x));
  } else if constexpr (std::is_integral_v<Operand> || std::is_floating_point_v<Operand> || std::is_enum_v<Operand>) {
    return static_cast<T>(x);
  } else {
    return read<T>(__builtin_bit_cast(bits<Operand>, x));
  }
}

/// Assigns a result to an operand.
template <class Operand, class T>
inline void write(Operand& operand, const T& value) {
  operand = read<std::remove_cv_t<Operand>>(value);
}

inline f32 bits_of_f32(u32 x) {
  return __builtin_bit_cast(f32, x);
}
inline f64 bits_of_f64(u64 x) {
  return __builtin_bit_cast(f64, x);
}

/// Part `n` of a value, the lowest first.
template <class Part, class T>
inline Part part(T whole, unsigned n) {
  return static_cast<Part>(__builtin_bit_cast(bits<T>, whole) >> (n * 8 * sizeof(Part)));
}
/// The value whose parts these are, the lowest first.
template <class T, class... Part>
inline T pack(Part... parts) {
  bits<T> whole = 0;
  unsigned at = 0;
  ((whole = static_cast<bits<T>>(whole | static_cast<bits<T>>(static_cast<bits<T>>(parts) << at)),
    at += 8 * sizeof(Part)),
   ...);
  return __builtin_bit_cast(T, whole);
}

// Arithmetic. Integers wrap.

#define WARPFIBER_PTX_WRAPPING(name, op)                                                    \
  template <class T>                                                                        \
  inline T name(T a, T b) {                                                                 \
    if constexpr (std::is_floating_point_v<T>) {                                            \
      return a op b;                                                                        \
    } else {                                                                                \
      return static_cast<T>(static_cast<u64>(a) op static_cast<u64>(b));                    \
    }                                                                                       \
  }                                                                                         \
  template <class T>                                                                        \
  inline T name##_sat(T a, T b) {                                                           \
    if constexpr (std::is_floating_point_v<T>) {                                            \
      return a op b > 0 ? (a op b < 1 ? a op b : T(1)) : T(0);                              \
    } else {                                                                                \
      const auto exact = static_cast<wide<T>>(a) op static_cast<wide<T>>(b);                \
      const auto low = std::numeric_limits<T>::min(), high = std::numeric_limits<T>::max(); \
      return exact < low ? low : exact > high ? high : static_cast<T>(exact);               \
    }                                                                                       \
  }
WARPFIBER_PTX_WRAPPING(add, +)
WARPFIBER_PTX_WRAPPING(sub, -)
WARPFIBER_PTX_WRAPPING(mul, *)
#undef WARPFIBER_PTX_WRAPPING

/// The NaN of f32 that devices return has no payload.
template <class T>
inline T with_device_nan(T x) {
  if constexpr (std::is_same_v<T, f32>) return x != x ? std::bit_cast<f32>(0x7fffffffU) : x;
  return x;
}

// Real numbers, rounded to zero, down and up.
#define WARPFIBER_PTX_ROUNDED(name, parameters, arguments, of_float, of_double) \
  template <class T>                                                            \
  requires std::is_floating_point_v<T>                                          \
  inline T name parameters {                                                    \
    if constexpr (std::is_same_v<T, f32>) {                                     \
      return with_device_nan(::of_float arguments);                             \
    } else {                                                                    \
      return ::of_double arguments;                                             \
    }                                                                           \
  }                                                                             \
  template <class T>                                                            \
  requires std::is_floating_point_v<T>                                          \
  inline T name##_sat parameters {                                              \
    const T exact = name<T> arguments;                                          \
    return exact > 0 ? (exact < 1 ? exact : T{1}) : T{0};                       \
  }
#define WARPFIBER_PTX_DIRECTED(name, parameters, arguments, of_float, of_double)         \
  WARPFIBER_PTX_ROUNDED(name##_rz, parameters, arguments, of_float##_rz, of_double##_rz) \
  WARPFIBER_PTX_ROUNDED(name##_rm, parameters, arguments, of_float##_rd, of_double##_rd) \
  WARPFIBER_PTX_ROUNDED(name##_rp, parameters, arguments, of_float##_ru, of_double##_ru)
WARPFIBER_PTX_DIRECTED(add, (T a, T b), (a, b), __fadd, __dadd)
WARPFIBER_PTX_DIRECTED(sub, (T a, T b), (a, b), __fsub, __dsub)
WARPFIBER_PTX_DIRECTED(mul, (T a, T b), (a, b), __fmul, __dmul)
WARPFIBER_PTX_DIRECTED(div, (T a, T b), (a, b), __fdiv, __ddiv)
WARPFIBER_PTX_DIRECTED(fma, (T a, T b, T c), (a, b, c), __fmaf, __fma)
WARPFIBER_PTX_DIRECTED(rcp, (T a), (a), __frcp, __drcp)
WARPFIBER_PTX_DIRECTED(sqrt, (T a), (a), __fsqrt, __dsqrt)
#undef WARPFIBER_PTX_DIRECTED
#undef WARPFIBER_PTX_ROUNDED

template <class T>
inline T mul_lo(T a, T b) {
  return mul<T>(a, b);
}
template <class T>
inline wide<T> mul_wide(T a, T b) {
  return static_cast<wide<T>>(static_cast<wide<T>>(a) * static_cast<wide<T>>(b));
}
template <class T>
inline T mul_hi(T a, T b) {
  return static_cast<T>(mul_wide<T>(a, b) >> (8 * sizeof(T)));
}
template <class T>
inline T mul24_lo(T a, T b) {
  return std::is_signed_v<T> ? static_cast<T>(::__mul24(static_cast<int>(a), static_cast<int>(b)))
                             : static_cast<T>(::__umul24(static_cast<u32>(a), static_cast<u32>(b)));
}
/// The upper 32 of the product's 48 bits.
template <class T>
inline T mul24_hi(T a, T b) {
  constexpr unsigned kUnused = 8;  // bits above the 24
  const auto part = [](T x) { return static_cast<T>(static_cast<T>(static_cast<u32>(x) << kUnused) >> kUnused); };
  return static_cast<T>((static_cast<wide<T>>(part(a)) * part(b)) >> 16);
}
template <class T>
inline T mad24_lo(T a, T b, T c) {
  return add<T>(mul24_lo<T>(a, b), c);
}
template <class T>
inline T mad24_hi(T a, T b, T c) {
  return add<T>(mul24_hi<T>(a, b), c);
}
template <class T>
inline T mad24_hi_sat(T a, T b, T c) {
  return add_sat<T>(mul24_hi<T>(a, b), c);
}
template <class T>
inline T fma(T a, T b, T c) {
  return std::fma(a, b, c);
}
/// In 0 to 1; 0 for NaN.
template <class T>
inline T fma_sat(T a, T b, T c) {
  const T exact = std::fma(a, b, c);
  return exact > 0 ? (exact < 1 ? exact : T(1)) : T(0);
}
template <class T>
inline T mad(T a, T b, T c) {
  return std::fma(a, b, c);
}
template <class T>
inline T mad_lo(T a, T b, T c) {
  return add<T>(mul<T>(a, b), c);
}
template <class T>
inline T mad_hi(T a, T b, T c) {
  return add<T>(mul_hi<T>(a, b), c);
}
template <class T>
inline T mad_hi_sat(T a, T b, T c) {
  return add_sat<T>(mul_hi<T>(a, b), c);
}
template <class T>
inline wide<T> mad_wide(T a, T b, wide<T> c) {
  return add<wide<T>>(mul_wide<T>(a, b), c);
}
/// Division of an integer by zero has all bits set, as on the device.
template <class T>
inline T div(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    return a / b;
  } else {
    if (b == 0) return static_cast<T>(~T{0});
    return std::is_signed_v<T> && b == static_cast<T>(-1) ? sub<T>(0, a) : static_cast<T>(a / b);
  }
}
template <class T>
inline T rem(T a, T b) {
  if (b == 0) return a;
  return std::is_signed_v<T> && b == static_cast<T>(-1) ? T{0} : static_cast<T>(a % b);
}
/// The number where one is NaN; -0 is less than 0.
template <class T>
inline T min(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    if (a != a || b != b) return with_device_nan(a != a ? b : a);
    if (a == b) return std::signbit(a) ? a : b;
  }
  return b < a ? b : a;
}
template <class T>
inline T max(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    if (a != a || b != b) return with_device_nan(a != a ? b : a);
    if (a == b) return std::signbit(a) ? b : a;
  }
  return a < b ? b : a;
}
/// NaN where one is.
template <class T>
inline T min_NaN(T a, T b) {
  return a != a || b != b ? with_device_nan(std::numeric_limits<T>::quiet_NaN()) : min<T>(a, b);
}
template <class T>
inline T max_NaN(T a, T b) {
  return a != a || b != b ? with_device_nan(std::numeric_limits<T>::quiet_NaN()) : max<T>(a, b);
}
/// A negative result becomes 0.
template <class T>
inline T min_relu(T a, T b) {
  return max<T>(min<T>(a, b), 0);
}
template <class T>
inline T max_relu(T a, T b) {
  return max<T>(max<T>(a, b), 0);
}
// The smaller or the larger size, with the sign of the product; and sizes, or numbers, of three.
#define WARPFIBER_PTX_EXTREMUM(name)                                                                     \
  template <class T>                                                                                     \
  requires std::is_floating_point_v<T>                                                                   \
  inline T name##_xorsign_abs(T a, T b) {                                                                \
    const T size = name<T>(std::fabs(a), std::fabs(b));                                                  \
    return size != size ? size : std::copysign(size, std::signbit(a) == std::signbit(b) ? T{1} : T{-1}); \
  }                                                                                                      \
  template <class T>                                                                                     \
  inline T name##_abs(T a, T b, T c) {                                                                   \
    return name<T>(name<T>(std::fabs(a), std::fabs(b)), std::fabs(c));                                   \
  }                                                                                                      \
  template <class T>                                                                                     \
  inline T name(T a, T b, T c) {                                                                         \
    return name<T>(name<T>(a, b), c);                                                                    \
  }
WARPFIBER_PTX_EXTREMUM(min)
WARPFIBER_PTX_EXTREMUM(max)
WARPFIBER_PTX_EXTREMUM(min_NaN)
WARPFIBER_PTX_EXTREMUM(max_NaN)
#undef WARPFIBER_PTX_EXTREMUM
template <class T>
inline T sad(T a, T b, T c) {
  return add<T>(a < b ? sub<T>(b, a) : sub<T>(a, b), c);
}
template <class T>
inline T neg(T a) {
  if constexpr (std::is_floating_point_v<T>) return -a;
  return sub<T>(0, a);
}
template <class T>
inline T abs(T a) {
  if constexpr (std::is_floating_point_v<T>) return std::fabs(a);
  return a < 0 ? sub<T>(0, a) : a;
}

// Bits.

inline pred and_(pred a, pred b) {
  return a && b;
}
template <class T>
inline T and_(T a, T b) {
  return static_cast<T>(a & b);
}
template <class T>
inline T or_(T a, T b) {
  return static_cast<T>(a | b);
}
template <class T>
inline T xor_(T a, T b) {
  return static_cast<T>(a ^ b);
}
template <class T>
inline T not_(T a) {
  if constexpr (std::is_same_v<T, bool>)
    return !a;
  else
    return static_cast<T>(~a);
}
template <class T>
inline T cnot(T a) {
  return a == 0 ? 1 : 0;
}
/// Counts above the width move every bit out.
template <class T>
inline T shl(T a, u32 count) {
  return count >= 8 * sizeof(T) ? T{0} : static_cast<T>(static_cast<u64>(a) << count);
}
template <class T>
inline T shr(T a, u32 count) {
  const u32 width = 8 * sizeof(T);
  if (count >= width) return std::is_signed_v<T> && a < 0 ? static_cast<T>(-1) : T{0};
  return static_cast<T>(a >> count);
}
template <class T>
inline T shf_l_wrap(T low, T high, u32 count) {
  return ::__funnelshift_l(low, high, count);
}
template <class T>
inline T shf_r_wrap(T low, T high, u32 count) {
  return ::__funnelshift_r(low, high, count);
}
template <class T>
inline T shf_l_clamp(T low, T high, u32 count) {
  return ::__funnelshift_lc(low, high, count);
}
template <class T>
inline T shf_r_clamp(T low, T high, u32 count) {
  return ::__funnelshift_rc(low, high, count);
}
template <class T>
inline u32 popc(T a) {
  return static_cast<u32>(std::popcount(a));
}
template <class T>
inline u32 clz(T a) {
  return static_cast<u32>(std::countl_zero(a));
}
template <class T>
inline T brev(T a) {
  return sizeof(T) == 4 ? static_cast<T>(::__brev(static_cast<u32>(a))) : static_cast<T>(::__brevll(a));
}
/// The place of the highest bit that is not the sign; all bits set where there is none.
template <class T>
inline u32 bfind(T a) {
  const bits<T> x = static_cast<bits<T>>(std::is_signed_v<T> && a < 0 ? ~a : a);
  return x == 0 ? ~0U : static_cast<u32>(8 * sizeof(T) - 1) - static_cast<u32>(std::countl_zero(x));
}
template <class T>
inline u32 bfind_shiftamt(T a) {
  const u32 place = bfind<T>(a);
  return place == ~0U ? place : static_cast<u32>(8 * sizeof(T) - 1) - place;
}
/// `length` bits from `begin`, extended with the field's sign or, past the word, the word's.
template <class T>
inline T bfe(T a, u32 begin, u32 length) {
  const u32 width = 8 * sizeof(T), p = begin & 0xff, n = length & 0xff;
  const u32 last = p + n - 1 < width - 1 ? p + n - 1 : width - 1;
  const auto x = static_cast<bits<T>>(a);
  const bool sign = std::is_signed_v<T> && n != 0 && ((x >> last) & 1) != 0;
  bits<T> field = p >= width ? 0 : static_cast<bits<T>>(x >> p);
  const u32 kept = p >= width ? 0 : (n < width - p ? n : width - p);
  if (kept < width) field &= (bits<T>{1} << kept) - 1;
  if (sign && kept < width) field |= ~((bits<T>{1} << kept) - 1);
  return static_cast<T>(field);
}
/// `b` with the lowest `length` bits of `a` put at `begin`.
template <class T>
inline T bfi(T a, T b, u32 begin, u32 length) {
  const u32 width = 8 * sizeof(T), p = begin & 0xff, n = length & 0xff;
  if (p >= width || n == 0) return b;
  const T ones = n >= width ? static_cast<T>(~T{0}) : static_cast<T>((T{1} << n) - 1);
  return static_cast<T>((b & ~(ones << p)) | ((a & ones) << p));
}
/// Bytes of b:a; bit 3 of a selector copies the byte's sign (default mode).
template <class T>
inline T prmt(T a, T b, u32 selectors) {
  const u64 bytes = static_cast<u64>(b) << 32 | a;
  u32 result = 0;
  for (u32 n = 0; n < 4; ++n) {
    const u32 selector = selectors >> (4 * n);
    u32 byte = static_cast<u32>(bytes >> (8 * (selector & 7))) & 0xff;
    if ((selector & 8) != 0) byte = (byte & 0x80) != 0 ? 0xff : 0;
    result |= byte << (8 * n);
  }
  return result;
}
/// The function of three bits whose table is `table`.
template <class T>
inline T lop3(T a, T b, T c, u32 table) {
  T result = 0;
  for (u32 n = 0; n < 8; ++n) {
    if ((table >> n & 1) != 0) result |= ((n & 4) != 0 ? a : ~a) & ((n & 2) != 0 ? b : ~b) & ((n & 1) != 0 ? c : ~c);
  }
  return result;
}
/// The same, and whether it has a bit, or'd or and'ed with `q`.
template <class T>
inline T lop3_or(pred& p, T a, T b, T c, u32 table, pred q) {
  const T result = lop3<T>(a, b, c, table);
  p = result != 0 || q;
  return result;
}
template <class T>
inline T lop3_and(pred& p, T a, T b, T c, u32 table, pred q) {
  const T result = lop3<T>(a, b, c, table);
  p = result != 0 && q;
  return result;
}
/// Part `n` of a word, which is as wide and as signed as Part.
template <class Part>
inline u32 extended_part(u32 word, u32 n) {
  return static_cast<u32>(static_cast<s32>(static_cast<Part>(word >> (8 * sizeof(Part) * n))));
}
/// Four products of bytes of `a` with the sign of First and bytes of `b` with that of Second, added to `c`.
template <class First, class Second>
inline u32 dp4a(u32 a, u32 b, u32 c) {
  using Left = typename IntegerOf<1, std::is_signed_v<First>>::Type;
  using Right = typename IntegerOf<1, std::is_signed_v<Second>>::Type;
  for (u32 n = 0; n < 4; ++n) c += extended_part<Left>(a, n) * extended_part<Right>(b, n);
  return c;
}
/// Two products of halves of `a` and the lower bytes of `b`, or the upper ones.
template <class First, class Second>
inline u32 dp2a_lo(u32 a, u32 b, u32 c) {
  using Left = typename IntegerOf<2, std::is_signed_v<First>>::Type;
  using Right = typename IntegerOf<1, std::is_signed_v<Second>>::Type;
  return c + extended_part<Left>(a, 0) * extended_part<Right>(b, 0) +
         extended_part<Left>(a, 1) * extended_part<Right>(b, 1);
}
template <class First, class Second>
inline u32 dp2a_hi(u32 a, u32 b, u32 c) {
  return dp2a_lo<First, Second>(a, b >> 16, c);
}
template <class T>
inline T selp(T a, T b, pred p) {
  return p ? a : b;
}
/// By the sign of `c`; the second where that is NaN.
template <class T, class Sign>
inline T slct(T a, T b, Sign c) {
  return c >= 0 ? a : b;
}

// Functions of real numbers.

template <class T>
inline T ex2(T x) {
  return with_device_nan(std::exp2(x));
}
template <class T>
inline T lg2(T x) {
  return with_device_nan(std::log2(x));
}
template <class T>
inline T sin(T x) {
  return with_device_nan(std::sin(x));
}
template <class T>
inline T cos(T x) {
  return with_device_nan(std::cos(x));
}
template <class T>
inline T tanh(T x) {
  return with_device_nan(std::tanh(x));
}
template <class T>
inline T rcp(T x) {
  return with_device_nan(1 / x);
}
template <class T>
inline T sqrt(T x) {
  return with_device_nan(std::sqrt(x));
}
template <class T>
inline T rsqrt(T x) {
  return with_device_nan(static_cast<T>(1 / std::sqrt(static_cast<f64>(x))));
}

}  // namespace warpfiber::ptx
