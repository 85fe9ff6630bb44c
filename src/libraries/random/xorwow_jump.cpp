// SPDX-License-Identifier: Apache-2.0
//
// jump_xorwow of <warpfiber/cuda/curand/jumps.hpp>: digit by digit of both counts, each digit by one polynomial of a
// table that the compiler makes (xorwow_polynomials.hpp). Called by kernels and host code through that header only.
#include <warpfiber/cuda/curand/jumps.hpp>

#include <array>
#include <cstdint>
#include <cstring>

#include "random/xorwow_polynomials.hpp"

namespace warpfiber::random {
namespace {

constexpr unsigned kDigitBits = 5;
constexpr unsigned kDigits = (64 + kDigitBits - 1) / kDigitBits;
constexpr unsigned kDigitEnd = 1u << kDigitBits;
constexpr unsigned kSequenceExponent = 67;

using XorwowPowers = std::array<std::array<XorwowPolynomial, kDigitEnd>, kDigits>;

/// x^(digit * 32^place * 2^exponent) for every digit but 0 and every place of a count.
constexpr XorwowPowers powers_from(unsigned exponent) {
  constexpr XorwowPolynomial characteristic = xorwow_characteristic();
  XorwowPolynomial base;
  base.set(1);
  for (unsigned i = 0; i < exponent; ++i) base = product(base, base, characteristic);
  XorwowPowers powers{};
  for (auto& place : powers) {
    place[1] = base;
    for (unsigned digit = 2; digit < kDigitEnd; ++digit) {
      place[digit] = product(place[digit - 1], base, characteristic);
    }
    base = product(place[kDigitEnd - 1], base, characteristic);
  }
  return powers;
}

constexpr XorwowPowers kSteps = powers_from(0);
constexpr XorwowPowers kSequences = powers_from(kSequenceExponent);

// Four words of the generator's sequence at a time.
using FourWords = std::uint32_t __attribute__((vector_size(16)));

FourWords load(const std::uint32_t* from) {
  FourWords words;
  std::memcpy(&words, from, sizeof words);
  return words;
}

/// The sum of the states after i steps over all i that `polynomial` has. A state is five consecutive words of the
/// sequence, so all of them lie in 164 words.
void add_states(const XorwowPolynomial& polynomial, std::uint32_t (&state)[5]) {
  std::uint32_t sequence[kXorwowDegree + 4];
  std::memcpy(sequence, state, sizeof state);
  for (unsigned i = 0; i + 5 < kXorwowDegree + 4; ++i) {
    std::uint32_t t = sequence[i] ^ sequence[i] >> 2;
    t ^= t << 1;
    sequence[i + 5] = t ^ sequence[i + 4] ^ sequence[i + 4] << 4;
  }
  FourWords sums[5] = {};
  for (unsigned i = 0; i < kXorwowDegree; i += 4) {
    const std::uint64_t part = i < 64 ? polynomial.low : i < 128 ? polynomial.middle : polynomial.high;
    const auto coefficients = static_cast<std::uint32_t>(part >> i % 64);
    const FourWords bits = {1, 2, 4, 8};
    const FourWords mask = reinterpret_cast<FourWords>(((FourWords{} + coefficients) & bits) == bits);
    for (unsigned word = 0; word < 5; ++word) sums[word] ^= load(sequence + i + word) & mask;
  }
  for (unsigned word = 0; word < 5; ++word) state[word] = sums[word][0] ^ sums[word][1] ^ sums[word][2] ^ sums[word][3];
}

void jump_by(const XorwowPowers& powers, unsigned long long count, std::uint32_t (&state)[5]) {
  for (unsigned place = 0; count != 0; ++place, count >>= kDigitBits) {
    const unsigned digit = static_cast<unsigned>(count % kDigitEnd);
    if (digit != 0) add_states(powers[place][digit], state);
  }
}

}  // namespace

void jump_xorwow(unsigned int (&words)[5], unsigned long long sequences, unsigned long long steps) noexcept {
  jump_by(kSequences, sequences, words);
  jump_by(kSteps, steps, words);
}

}  // namespace warpfiber::random
