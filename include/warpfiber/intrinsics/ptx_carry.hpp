// SPDX-License-Identifier: Apache-2.0
//
// PTX's arithmetic of extended precision (PTX ISA 9.0, "Extended-Precision Integer Arithmetic Instructions"):
// additions, subtractions and multiplications that hand a carry, or a borrow, on to the next instruction. `_cc` writes
// the flag, addc, subc and madc read it. A part of ptx.hpp.
#pragma once

#include <warpfiber/intrinsics/carry.hpp>
#include <warpfiber/intrinsics/ptx_arithmetic.hpp>

#include <type_traits>

namespace warpfiber::ptx {

/// a + b + carry, and whether that is more than T holds, both taken as unsigned.
template <class T>
inline T add_carry(T a, T b, bool carry, bool& out) {
  using Unsigned = std::make_unsigned_t<T>;
  Unsigned first = 0;
  Unsigned sum = 0;
  const bool over = __builtin_add_overflow(static_cast<Unsigned>(a), static_cast<Unsigned>(b), &first);
  out = __builtin_add_overflow(first, static_cast<Unsigned>(carry ? 1 : 0), &sum) || over;
  return static_cast<T>(sum);
}
/// a - (b + borrow), and whether that is less than 0.
template <class T>
inline T subtract_borrow(T a, T b, bool borrow, bool& out) {
  using Unsigned = std::make_unsigned_t<T>;
  Unsigned first = 0;
  Unsigned difference = 0;
  const bool under = __builtin_sub_overflow(static_cast<Unsigned>(a), static_cast<Unsigned>(b), &first);
  out = __builtin_sub_overflow(first, static_cast<Unsigned>(borrow ? 1 : 0), &difference) || under;
  return static_cast<T>(difference);
}

template <class T>
inline T add_cc(T a, T b) {
  return add_carry(a, b, false, detail::carry_flag);
}
template <class T>
inline T addc(T a, T b) {
  bool out = false;
  return add_carry(a, b, detail::carry_flag, out);
}
template <class T>
inline T addc_cc(T a, T b) {
  return add_carry(a, b, detail::carry_flag, detail::carry_flag);
}
template <class T>
inline T sub_cc(T a, T b) {
  return subtract_borrow(a, b, false, detail::carry_flag);
}
template <class T>
inline T subc(T a, T b) {
  bool out = false;
  return subtract_borrow(a, b, detail::carry_flag, out);
}
template <class T>
inline T subc_cc(T a, T b) {
  return subtract_borrow(a, b, detail::carry_flag, detail::carry_flag);
}

#define WARPFIBER_PTX_MULTIPLY_ADD(half)       \
  template <class T>                           \
  inline T mad_##half##_cc(T a, T b, T c) {    \
    return add_cc<T>(mul_##half<T>(a, b), c);  \
  }                                            \
  template <class T>                           \
  inline T madc_##half(T a, T b, T c) {        \
    return addc<T>(mul_##half<T>(a, b), c);    \
  }                                            \
  template <class T>                           \
  inline T madc_##half##_cc(T a, T b, T c) {   \
    return addc_cc<T>(mul_##half<T>(a, b), c); \
  }
WARPFIBER_PTX_MULTIPLY_ADD(lo)
WARPFIBER_PTX_MULTIPLY_ADD(hi)
#undef WARPFIBER_PTX_MULTIPLY_ADD

}  // namespace warpfiber::ptx
