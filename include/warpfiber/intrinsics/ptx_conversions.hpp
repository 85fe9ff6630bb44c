// SPDX-License-Identifier: Apache-2.0
//
// PTX's conversions between integers and real numbers, and its comparisons. A part of ptx.hpp.
#pragma once

#include <warpfiber/intrinsics/math_rounding.hpp>
#include <warpfiber/intrinsics/ptx_arithmetic.hpp>

#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>

namespace warpfiber::ptx {

/// What `set` writes for a test: all bits or none, of reals 1 or 0.
template <class T>
requires std::is_arithmetic_v<T>
inline T truth(pred is) {
  if constexpr (std::is_floating_point_v<T>)
    return is ? T{1} : T{0};
  else
    return static_cast<T>(is ? ~T{0} : T{0});
}

// Conversions.

/// A real number that is an integer, as a D: the nearest one where D has it not, zero for NaN.
template <class To, class From>
inline To clamped(From x) {
  if constexpr (std::is_floating_point_v<To>) {
    return static_cast<To>(x);
  } else {
    if (x != x) return To{0};
    if (x < static_cast<From>(std::numeric_limits<To>::min())) return std::numeric_limits<To>::min();
    if (x >= -static_cast<From>(std::numeric_limits<std::make_signed_t<To>>::min()) * (std::is_signed_v<To> ? 1 : 2)) {
      return std::numeric_limits<To>::max();
    }
    return static_cast<To>(x);
  }
}
template <class To, class From>
inline To cvt(From x) {
  return static_cast<To>(x);
}
template <class To, class From>
inline To cvt_sat(From x) {
  if constexpr (std::is_floating_point_v<To>) {
    return x > 0 ? (x < 1 ? static_cast<To>(x) : To{1}) : To{0};
  } else if constexpr (std::is_floating_point_v<From>) {
    return clamped<To>(x);
  } else {
    using Limits = std::numeric_limits<To>;
    return std::cmp_less(x, Limits::min())      ? Limits::min()
           : std::cmp_greater(x, Limits::max()) ? Limits::max()
                                                : static_cast<To>(x);
  }
}
// To integers: to nearest even, to zero, down and up. The result is in any case the nearest that the type holds.
#define WARPFIBER_PTX_CONVERSION(name, function) \
  template <class To, class From>                \
  inline To cvt_##name(From x) {                 \
    return clamped<To>(std::function(x));        \
  }                                              \
  template <class To, class From>                \
  inline To cvt_##name##_sat(From x) {           \
    return cvt_sat<To>(std::function(x));        \
  }
WARPFIBER_PTX_CONVERSION(rni, nearbyint)
WARPFIBER_PTX_CONVERSION(rzi, trunc)
WARPFIBER_PTX_CONVERSION(rmi, floor)
WARPFIBER_PTX_CONVERSION(rpi, ceil)
#undef WARPFIBER_PTX_CONVERSION
// To real numbers.
#define WARPFIBER_PTX_CONVERSION(name, suffix)         \
  template <class To, class From>                      \
  inline To cvt_##name(From x) {                       \
    constexpr bool kOfFloat = std::is_same_v<To, f32>; \
    if constexpr (std::is_same_v<From, f64>) {         \
      return ::__double2float_##suffix(x);             \
    } else if constexpr (std::is_same_v<From, f32>) {  \
      return x;                                        \
    } else if constexpr (std::is_same_v<From, u64>) {  \
      if constexpr (kOfFloat)                          \
        return ::__ull2float_##suffix(x);              \
      else                                             \
        return ::__ull2double_##suffix(x);             \
    } else {                                           \
      if constexpr (kOfFloat)                          \
        return ::__ll2float_##suffix(x);               \
      else                                             \
        return ::__ll2double_##suffix(x);              \
    }                                                  \
  }                                                    \
  template <class To, class From>                      \
  inline To cvt_##name##_sat(From x) {                 \
    return cvt_sat<To>(cvt_##name<To>(x));             \
  }
WARPFIBER_PTX_CONVERSION(rz, rz)
WARPFIBER_PTX_CONVERSION(rm, rd)
WARPFIBER_PTX_CONVERSION(rp, ru)
#undef WARPFIBER_PTX_CONVERSION

// Comparisons. `ne` of a NaN is false, as all others are: the ordered one. Those that end in u are true of a NaN.

#define WARPFIBER_PTX_COMPARISON(name, condition) \
  template <class T>                              \
  inline pred setp_##name(T a, T b) {             \
    return condition;                             \
  }
WARPFIBER_PTX_COMPARISON(eq, a == b)
WARPFIBER_PTX_COMPARISON(ne, a < b || b < a)
WARPFIBER_PTX_COMPARISON(lt, a < b)
WARPFIBER_PTX_COMPARISON(le, a <= b)
WARPFIBER_PTX_COMPARISON(gt, a > b)
WARPFIBER_PTX_COMPARISON(ge, a >= b)
WARPFIBER_PTX_COMPARISON(lo, a < b)
WARPFIBER_PTX_COMPARISON(ls, a <= b)
WARPFIBER_PTX_COMPARISON(hi, a > b)
WARPFIBER_PTX_COMPARISON(hs, a >= b)
WARPFIBER_PTX_COMPARISON(num, a == a && b == b)
WARPFIBER_PTX_COMPARISON(nan, a != a || b != b)
WARPFIBER_PTX_COMPARISON(equ, !(a < b || b < a))
WARPFIBER_PTX_COMPARISON(neu, a != b)
WARPFIBER_PTX_COMPARISON(ltu, !(a >= b))
WARPFIBER_PTX_COMPARISON(leu, !(a > b))
WARPFIBER_PTX_COMPARISON(gtu, !(a <= b))
WARPFIBER_PTX_COMPARISON(geu, !(a < b))
#undef WARPFIBER_PTX_COMPARISON

}  // namespace warpfiber::ptx
