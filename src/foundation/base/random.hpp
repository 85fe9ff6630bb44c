// SPDX-License-Identifier: Apache-2.0
//
// The one source of chance. Everything random in Warpfiber comes from a seed through here, so that a seed repeats a run
// bit for bit on every platform; the distributions of the standard library promise no such thing.
// Generators: splitmix64 and xoshiro256** 1.0 (Blackman and Vigna, "Scrambled linear pseudorandom number generators",
// ACM TOMS 47, 2021). Not for cryptography. A Random belongs to one thread.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "base/contract.hpp"

namespace warpfiber::base {

/// Advances `state` and returns the next number of the splitmix64 sequence.
constexpr std::uint64_t splitmix64(std::uint64_t& state) {
  state += 0x9e3779b97f4a7c15u;
  std::uint64_t z = state;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

/// A number that depends on both arguments in every bit: the seed of launch `index` of a session, the rank of a fiber.
constexpr std::uint64_t mix(std::uint64_t seed, std::uint64_t index) {
  std::uint64_t state = seed;
  state = splitmix64(state) + index;
  return splitmix64(state);
}

/// xoshiro256**.
class Random {
 public:
  constexpr explicit Random(std::uint64_t seed) {
    for (std::uint64_t& word : state_) word = splitmix64(seed);
  }

  /// Goes on from a known state, which is not all zeroes.
  constexpr explicit Random(const std::array<std::uint64_t, 4>& state) : state_(state) {}

  /// 64 random bits.
  constexpr std::uint64_t next() {
    const std::uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
    const std::uint64_t t = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= t;
    state_[3] = std::rotl(state_[3], 45);
    return result;
  }

  /// A number from 0 to n-1, each equally likely; n is at least 1.
  /// Lemire, "Fast random integer generation in an interval", ACM TOMACS 29, 2019.
  constexpr std::uint64_t below(std::uint64_t n) {
    WARPFIBER_CONTRACT(n > 0, "a random choice needs something to choose from");
    Wide product = Wide{next()} * n;
    if (static_cast<std::uint64_t>(product) < n) {
      const std::uint64_t threshold = -n % n;
      while (static_cast<std::uint64_t>(product) < threshold) product = Wide{next()} * n;
    }
    return static_cast<std::uint64_t>(product >> 64);
  }

 private:
  __extension__ using Wide = unsigned __int128;

  std::array<std::uint64_t, 4> state_{};
};

}  // namespace warpfiber::base
