// SPDX-License-Identifier: Apache-2.0
//
// CUDA's min and max at global scope, with the overloads of its device headers: a mix of signed and unsigned compares
// as unsigned, a mix of float and double as double. Of a number and NaN the result is the number, and -0 is below +0,
// as the hardware's instructions have it (PTX ISA, "min", "max"). A call that is ambiguous with nvcc (int with float,
// say) is ambiguous here. Kernels and host code may call all of them.
#pragma once

namespace warpfiber::intrinsics {

// Equal values differ in their bits only where they are zeros: or-ing the two orders of the comparison picks -0,
// and-ing them +0. Without branches, so that loops vectorise.
template <class Bits, class T>
constexpr T lesser(T a, T b) noexcept {
  const T second_if_equal = a < b ? a : b;
  const T first_if_equal = b < a ? b : a;
  const T number =
      __builtin_bit_cast(T, __builtin_bit_cast(Bits, first_if_equal) | __builtin_bit_cast(Bits, second_if_equal));
  const T unless_a_is_nan = b != b ? a : number;
  return a != a ? b : unless_a_is_nan;
}

template <class Bits, class T>
constexpr T greater(T a, T b) noexcept {
  const T second_if_equal = a > b ? a : b;
  const T first_if_equal = b > a ? b : a;
  const T number =
      __builtin_bit_cast(T, __builtin_bit_cast(Bits, first_if_equal) & __builtin_bit_cast(Bits, second_if_equal));
  const T unless_a_is_nan = b != b ? a : number;
  return a != a ? b : unless_a_is_nan;
}

}  // namespace warpfiber::intrinsics

#define WARPFIBER_MIN_MAX(Result, A, B)                                                                       \
  constexpr Result min(A a, B b) noexcept {                                                                   \
    return static_cast<Result>(a) < static_cast<Result>(b) ? static_cast<Result>(a) : static_cast<Result>(b); \
  }                                                                                                           \
  constexpr Result max(A a, B b) noexcept {                                                                   \
    return static_cast<Result>(a) > static_cast<Result>(b) ? static_cast<Result>(a) : static_cast<Result>(b); \
  }
#define WARPFIBER_MIN_MAX_FAMILY(Signed, Unsigned) \
  WARPFIBER_MIN_MAX(Signed, Signed, Signed)        \
  WARPFIBER_MIN_MAX(Unsigned, Unsigned, Unsigned)  \
  WARPFIBER_MIN_MAX(Unsigned, Signed, Unsigned)    \
  WARPFIBER_MIN_MAX(Unsigned, Unsigned, Signed)
#define WARPFIBER_FLOAT_MIN_MAX(Result, A, B, Bits)            \
  constexpr Result min(A a, B b) noexcept {                    \
    return warpfiber::intrinsics::lesser<Bits, Result>(a, b);  \
  }                                                            \
  constexpr Result max(A a, B b) noexcept {                    \
    return warpfiber::intrinsics::greater<Bits, Result>(a, b); \
  }

WARPFIBER_MIN_MAX_FAMILY(int, unsigned int)
WARPFIBER_MIN_MAX_FAMILY(long, unsigned long)
WARPFIBER_MIN_MAX_FAMILY(long long, unsigned long long)
WARPFIBER_FLOAT_MIN_MAX(float, float, float, unsigned int)
WARPFIBER_FLOAT_MIN_MAX(double, double, double, unsigned long long)
WARPFIBER_FLOAT_MIN_MAX(double, float, double, unsigned long long)
WARPFIBER_FLOAT_MIN_MAX(double, double, float, unsigned long long)

#undef WARPFIBER_MIN_MAX
#undef WARPFIBER_MIN_MAX_FAMILY
#undef WARPFIBER_FLOAT_MIN_MAX

constexpr unsigned int umin(unsigned int a, unsigned int b) noexcept {
  return min(a, b);
}
constexpr unsigned int umax(unsigned int a, unsigned int b) noexcept {
  return max(a, b);
}
constexpr long long llmin(long long a, long long b) noexcept {
  return min(a, b);
}
constexpr long long llmax(long long a, long long b) noexcept {
  return max(a, b);
}
constexpr unsigned long long ullmin(unsigned long long a, unsigned long long b) noexcept {
  return min(a, b);
}
constexpr unsigned long long ullmax(unsigned long long a, unsigned long long b) noexcept {
  return max(a, b);
}
