// SPDX-License-Identifier: Apache-2.0
//
// curand_init, curand and skipahead for MRG32k3a (L'Ecuyer, "Good parameters and implementations for combined multiple
// recursive random number generators", Operations Research 47(1), 1999). A subsequence is 2^76 numbers, a sequence
// 2^127.
#pragma once

#include <warpfiber/cuda/curand/jumps.hpp>
#include <warpfiber/cuda/curand/states.hpp>

namespace warpfiber::random {

inline constexpr unsigned int kModulus1 = 4294967087u;  // 2^32 - 209
inline constexpr unsigned int kModulus2 = 4294944443u;  // 2^32 - 22853
// What makes numbers from 1 to kModulus1 floating-point numbers in (0, 1], and 32 bits.
inline constexpr double kMrg32k3aUnit = 2.3283065498378288e-10;
inline constexpr double kMrg32k3aBits = 1.000000048662;

inline void forget_normals(curandStateMRG32k3a* state) noexcept {
  state->boxmuller_flag = 0;
  state->boxmuller_flag_double = 0;
  state->boxmuller_extra = 0;
  state->boxmuller_extra_double = 0;
}

/// The next number, from 1 to kModulus1.
inline double next_mrg32k3a(curandStateMRG32k3a* state) noexcept {
  using Wide = unsigned long long;
  unsigned int* const first = state->s1;
  unsigned int* const second = state->s2;
  const Wide a = (Wide{1403580} * first[1] + Wide{810728} * (kModulus1 - first[0])) % kModulus1;
  const Wide b = (Wide{527612} * second[2] + Wide{1370589} * (kModulus2 - second[0])) % kModulus2;
  first[0] = first[1];
  first[1] = first[2];
  first[2] = static_cast<unsigned int>(a);
  second[0] = second[1];
  second[1] = second[2];
  second[2] = static_cast<unsigned int>(b);
  return static_cast<double>(a <= b ? a + kModulus1 - b : a - b);
}

inline void jump(curandStateMRG32k3a* state, unsigned long long n, unsigned int exponent) noexcept {
  unsigned int first[3] = {state->s1[0], state->s1[1], state->s1[2]};
  unsigned int second[3] = {state->s2[0], state->s2[1], state->s2[2]};
  jump_mrg32k3a(first, second, n, exponent);
  for (int i = 0; i < 3; ++i) {
    state->s1[i] = first[i];
    state->s2[i] = second[i];
  }
}

}  // namespace warpfiber::random

/// The next 32 bits.
inline unsigned int curand(curandStateMRG32k3a_t* state) {
  return static_cast<unsigned int>(warpfiber::random::next_mrg32k3a(state) * warpfiber::random::kMrg32k3aBits);
}

/// Moves the state by n, n * 2^76 and n * 2^127 numbers.
inline void skipahead(unsigned long long n, curandStateMRG32k3a_t* state) {
  warpfiber::random::jump(state, n, 0);
}
inline void skipahead_subsequence(unsigned long long n, curandStateMRG32k3a_t* state) {
  warpfiber::random::jump(state, n, 76);
}
inline void skipahead_sequence(unsigned long long n, curandStateMRG32k3a_t* state) {
  warpfiber::random::jump(state, n, 127);
}

/// The state of `seed` after `subsequence` * 2^76 + `offset` numbers.
inline void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset,
                        curandStateMRG32k3a_t* state) {
  using Wide = unsigned long long;
  for (int i = 0; i < 3; ++i) state->s1[i] = state->s2[i] = 12345;
  if (seed != 0) {
    const unsigned int low = static_cast<unsigned int>(seed) ^ 0x55555555u;
    const unsigned int high = static_cast<unsigned int>(seed >> 32) ^ 0xaaaaaaaau;
    for (int i = 0; i < 3; ++i) {
      state->s1[i] = static_cast<unsigned int>(Wide{i == 1 ? high : low} * 12345 % warpfiber::random::kModulus1);
      state->s2[i] = static_cast<unsigned int>(Wide{i == 1 ? low : high} * 12345 % warpfiber::random::kModulus2);
    }
  }
  warpfiber::random::forget_normals(state);
  skipahead_subsequence(subsequence, state);
  skipahead(offset, state);
}
