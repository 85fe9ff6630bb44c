// SPDX-License-Identifier: Apache-2.0
//
// What __half and __nv_bfloat16 have in common: 16 bits with CUDA's constructors and conversions, and macros that make
// the types, their pairs and the operators. Used by half.hpp and bfloat16.hpp only. The overloads are CUDA's and no
// others, so that what is ambiguous with nvcc (a half plus a float) is ambiguous here.
#pragma once

#include <warpfiber/intrinsics/narrow_float.hpp>

namespace warpfiber::narrow {

namespace types {

/// The bits, and ways to and from the raw structure.
template <class Format, class Raw>
class Stored {
 public:
  Stored() = default;
  constexpr Stored(const Raw& raw) noexcept : __x(raw.x) {}
  constexpr operator Raw() const noexcept { return Raw{__x}; }
  operator Raw() const volatile noexcept { return Raw{__x}; }

 protected:
  Bits __x;
};

/// Implicit conversions as well: from numbers to nearest even, to integers towards zero.
template <class Format, class Raw>
class Number : public Stored<Format, Raw> {
 protected:
  using Stored<Format, Raw>::__x;

 public:
  Number() = default;
  using Stored<Format, Raw>::Stored;
  constexpr Number(float value) noexcept : Stored<Format, Raw>(Raw{nearest_bits<Format>(value)}) {}
  constexpr Number(double value) noexcept : Stored<Format, Raw>(Raw{rounded_bits<Format>(value)}) {}
  constexpr Number(short value) noexcept : Number(static_cast<long long>(value)) {}
  constexpr Number(unsigned short value) noexcept : Number(static_cast<long long>(value)) {}
  constexpr Number(int value) noexcept : Number(static_cast<long long>(value)) {}
  constexpr Number(unsigned int value) noexcept : Number(static_cast<long long>(value)) {}
  constexpr Number(long value) noexcept : Number(static_cast<long long>(value)) {}
  constexpr Number(unsigned long value) noexcept : Number(static_cast<unsigned long long>(value)) {}
  constexpr Number(long long value) noexcept
      : Stored<Format, Raw>(Raw{from_integer<Format, Toward::kNearest>(value)}) {}
  constexpr Number(unsigned long long value) noexcept
      : Stored<Format, Raw>(Raw{from_integer<Format, Toward::kNearest>(value)}) {}

  constexpr operator float() const noexcept { return widened<Format>(__x); }
  constexpr operator signed char() const noexcept { return to_short<signed char>(); }
  constexpr operator unsigned char() const noexcept { return to_short<unsigned char>(); }
  constexpr operator char() const noexcept { return to_short<char>(); }
  constexpr operator short() const noexcept { return to_short<short>(); }
  constexpr operator unsigned short() const noexcept { return to_short<unsigned short>(); }
  constexpr operator int() const noexcept { return intrinsics::to_int<Toward::kZero, 0>(widened<Format>(__x)); }
  constexpr operator unsigned int() const noexcept {
    return intrinsics::to_uint<Toward::kZero, 0>(widened<Format>(__x));
  }
  constexpr operator long() const noexcept { return intrinsics::to_longlong<Toward::kZero>(widened<Format>(__x)); }
  constexpr operator unsigned long() const noexcept {
    return intrinsics::to_ulonglong<Toward::kZero>(widened<Format>(__x));
  }
  constexpr operator long long() const noexcept { return intrinsics::to_longlong<Toward::kZero>(widened<Format>(__x)); }
  constexpr operator unsigned long long() const noexcept {
    return intrinsics::to_ulonglong<Toward::kZero>(widened<Format>(__x));
  }
  constexpr operator bool() const noexcept { return (__x & 0x7fff) != 0; }

 private:
  template <class Integer>
  constexpr Integer to_short() const noexcept {
    return to_short_integer<Integer, Toward::kZero>(widened<Format>(__x));
  }
};

}  // namespace types

using types::Number;
using types::Stored;

template <class T>
constexpr Bits bits_of(T value) noexcept {
  return __builtin_bit_cast(Bits, value);
}

}  // namespace warpfiber::narrow

#define WARPFIBER_NARROW_RAW(Raw, Raw2) \
  struct alignas(2) Raw {               \
    unsigned short x;                   \
  };                                    \
  struct alignas(4) Raw2 {              \
    unsigned short x, y;                \
  };

// `Base` is Stored or Number; `Other` the format that this one is made from when asked to.
#define WARPFIBER_NARROW_TYPE(T, Raw, Format, Base, other_conversion)             \
  struct alignas(2) T : warpfiber::narrow::Base<warpfiber::narrow::Format, Raw> { \
    T() = default;                                                                \
    using warpfiber::narrow::Base<warpfiber::narrow::Format, Raw>::Base;          \
    other_conversion T& operator=(const Raw& raw) noexcept {                      \
      __x = raw.x;                                                                \
      return *this;                                                               \
    }                                                                             \
    void operator=(const Raw& raw) volatile noexcept { __x = raw.x; }             \
    void operator=(const volatile Raw& raw) volatile noexcept { __x = raw.x; }    \
  };

#define WARPFIBER_NARROW_PAIR(T2, T, Raw, Raw2)                                  \
  struct alignas(4) T2 {                                                         \
    T x, y;                                                                      \
    T2() = default;                                                              \
    constexpr T2(const T& a, const T& b) noexcept : x(a), y(b) {}                \
    constexpr T2(const Raw2& raw) noexcept : x(Raw{raw.x}), y(Raw{raw.y}) {}     \
    constexpr operator Raw2() const noexcept {                                   \
      return Raw2{warpfiber::narrow::bits_of(x), warpfiber::narrow::bits_of(y)}; \
    }                                                                            \
  };

// Arithmetic operators of a number or, with functions of pairs, of a pair. `compared` makes the relations' names.
#define WARPFIBER_NARROW_OPERATOR(T, sign, function)           \
  constexpr T operator sign(const T& a, const T& b) noexcept { \
    return function(a, b);                                     \
  }                                                            \
  constexpr T& operator sign##=(T& a, const T& b) noexcept {   \
    return a = function(a, b);                                 \
  }
#define WARPFIBER_NARROW_RELATION(T, sign, function)              \
  constexpr bool operator sign(const T& a, const T& b) noexcept { \
    return function(a, b);                                        \
  }
#define WARPFIBER_NARROW_SIGNS(T, negated)     \
  constexpr T operator+(const T& a) noexcept { \
    return a;                                  \
  }                                            \
  constexpr T operator-(const T& a) noexcept { \
    return negated(a);                         \
  }
#define WARPFIBER_NARROW_STEPS(T, one)         \
  constexpr T& operator++(T& a) noexcept {     \
    return a += one;                           \
  }                                            \
  constexpr T& operator--(T& a) noexcept {     \
    return a -= one;                           \
  }                                            \
  constexpr T operator++(T& a, int) noexcept { \
    const T before = a;                        \
    a += one;                                  \
    return before;                             \
  }                                            \
  constexpr T operator--(T& a, int) noexcept { \
    const T before = a;                        \
    a -= one;                                  \
    return before;                             \
  }
#define WARPFIBER_NARROW_OPERATORS(T, Raw, one) \
  WARPFIBER_NARROW_OPERATOR(T, +, __hadd)       \
  WARPFIBER_NARROW_OPERATOR(T, -, __hsub)       \
  WARPFIBER_NARROW_OPERATOR(T, *, __hmul)       \
  WARPFIBER_NARROW_OPERATOR(T, /, __hdiv)       \
  WARPFIBER_NARROW_SIGNS(T, __hneg)             \
  WARPFIBER_NARROW_STEPS(T, T(Raw{one}))        \
  WARPFIBER_NARROW_RELATION(T, ==, __heq)       \
  WARPFIBER_NARROW_RELATION(T, !=, __hneu)      \
  WARPFIBER_NARROW_RELATION(T, >, __hgt)        \
  WARPFIBER_NARROW_RELATION(T, <, __hlt)        \
  WARPFIBER_NARROW_RELATION(T, >=, __hge)       \
  WARPFIBER_NARROW_RELATION(T, <=, __hle)
#define WARPFIBER_NARROW_PAIR_OPERATORS(T2, Raw2, one) \
  WARPFIBER_NARROW_OPERATOR(T2, +, __hadd2)            \
  WARPFIBER_NARROW_OPERATOR(T2, -, __hsub2)            \
  WARPFIBER_NARROW_OPERATOR(T2, *, __hmul2)            \
  WARPFIBER_NARROW_OPERATOR(T2, /, __h2div)            \
  WARPFIBER_NARROW_SIGNS(T2, __hneg2)                  \
  WARPFIBER_NARROW_STEPS(T2, (T2(Raw2{one, one})))     \
  WARPFIBER_NARROW_RELATION(T2, ==, __hbeq2)           \
  WARPFIBER_NARROW_RELATION(T2, !=, __hbneu2)          \
  WARPFIBER_NARROW_RELATION(T2, >, __hbgt2)            \
  WARPFIBER_NARROW_RELATION(T2, <, __hblt2)            \
  WARPFIBER_NARROW_RELATION(T2, >=, __hbge2)           \
  WARPFIBER_NARROW_RELATION(T2, <=, __hble2)
