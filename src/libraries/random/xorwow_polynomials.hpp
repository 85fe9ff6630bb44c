// SPDX-License-Identifier: Apache-2.0
//
// Polynomials over GF(2) modulo the characteristic polynomial of XORWOW's five words, which has degree 160. If x^n is
// the polynomial p here, then n steps from a state are the sum of the states after i steps over all i for which p has
// x^i (Haramoto, Matsumoto, Nishimura, Panneton, L'Ecuyer, "Efficient jump ahead for F2-linear random number
// generators", INFORMS Journal on Computing 20(3), 2008). All of it is evaluated by the compiler.
#pragma once

#include <array>
#include <cstdint>

namespace warpfiber::random {

inline constexpr unsigned kXorwowDegree = 160;

/// Coefficients of x^0 to x^159, from the lowest bit of the first word on.
struct XorwowPolynomial {
  std::uint64_t low = 0, middle = 0, high = 0;

  constexpr void set(unsigned i) noexcept { (i < 64 ? low : i < 128 ? middle : high) |= std::uint64_t{1} << i % 64; }
};

/// a * b, where `characteristic` is what x^160 is. Without loops over words: compilers limit how much they evaluate.
constexpr XorwowPolynomial product(const XorwowPolynomial& a, const XorwowPolynomial& b,
                                   const XorwowPolynomial& characteristic) noexcept {
  std::uint64_t low = 0, middle = 0, high = 0;
  for (unsigned i = kXorwowDegree; i-- > 0;) {
    const bool over = high >> 31 & 1;
    high = (high << 1 | middle >> 63) & 0xffffffff;
    middle = middle << 1 | low >> 63;
    low <<= 1;
    if (over) {
      low ^= characteristic.low;
      middle ^= characteristic.middle;
      high ^= characteristic.high;
    }
    if (((i < 64 ? b.low : i < 128 ? b.middle : b.high) >> i % 64 & 1) == 0) continue;
    low ^= a.low;
    middle ^= a.middle;
    high ^= a.high;
  }
  return {low, middle, high};
}

constexpr void step(std::array<std::uint32_t, 5>& v) noexcept {
  std::uint32_t t = v[0] ^ v[0] >> 2;
  t ^= t << 1;
  const std::uint32_t next = v[4] ^ v[4] << 4 ^ t;
  for (unsigned i = 0; i < 4; ++i) v[i] = v[i + 1];
  v[4] = next;
}

/// What x^160 is: the shortest recurrence of one bit of the state, by the algorithm of Berlekamp and Massey.
constexpr XorwowPolynomial xorwow_characteristic() noexcept {
  constexpr unsigned kBits = 2 * kXorwowDegree;
  std::array<bool, kBits> bits{};
  std::array<std::uint32_t, 5> state{1, 2, 3, 4, 5};
  for (bool& bit : bits) {
    bit = state[0] & 1;
    step(state);
  }
  std::array<bool, kBits + 1> recurrence{true};
  std::array<bool, kBits + 1> earlier{true};
  unsigned length = 0;
  unsigned since = 1;
  for (unsigned n = 0; n < kBits; ++n, ++since) {
    bool differs = bits[n];
    for (unsigned i = 1; i <= length; ++i) differs ^= recurrence[i] & bits[n - i];
    if (!differs) continue;
    const std::array<bool, kBits + 1> kept = recurrence;
    for (unsigned i = 0; i + since <= kBits; ++i) recurrence[i + since] ^= earlier[i];
    if (2 * length > n) continue;
    length = n + 1 - length;
    earlier = kept;
    since = 0;
  }
  XorwowPolynomial result;
  for (unsigned i = 0; i < kXorwowDegree; ++i) {
    if (recurrence[kXorwowDegree - i]) result.set(i);
  }
  return result;
}

}  // namespace warpfiber::random
