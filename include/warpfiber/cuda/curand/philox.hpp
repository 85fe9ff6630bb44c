// SPDX-License-Identifier: Apache-2.0
//
// curand_init, curand, curand4 and skipahead for Philox 4x32-10 (Salmon, Moraes, Dror, Shaw, "Parallel random numbers:
// as easy as 1, 2, 3", SC'11). The key is the seed; the upper half of the counter is the subsequence, so that one is
// 2^66 numbers; the lower half counts groups of four numbers.
#pragma once

#include <warpfiber/cuda/curand/states.hpp>

namespace warpfiber::random {

struct PhiloxWord {
  unsigned int high, low;
};

inline PhiloxWord multiply_philox(unsigned int a, unsigned int b) noexcept {
  const unsigned long long product = static_cast<unsigned long long>(a) * b;
  return {static_cast<unsigned int>(product >> 32), static_cast<unsigned int>(product)};
}

/// The four numbers of one counter: ten rounds.
inline uint4 philox(uint4 counter, uint2 key) noexcept {
  for (int round = 0; round < 10; ++round) {
    const PhiloxWord first = multiply_philox(0xd2511f53u, counter.x);
    const PhiloxWord second = multiply_philox(0xcd9e8d57u, counter.z);
    counter = {second.high ^ counter.y ^ key.x, second.low, first.high ^ counter.w ^ key.y, first.low};
    key.x += 0x9e3779b9u;
    key.y += 0xbb67ae85u;
  }
  return counter;
}

inline void add_to_pair(unsigned int& low, unsigned int& high, unsigned long long n, bool& carry) noexcept {
  const unsigned long long before = static_cast<unsigned long long>(high) << 32 | low;
  const unsigned long long after = before + n;
  carry = after < before;
  low = static_cast<unsigned int>(after);
  high = static_cast<unsigned int>(after >> 32);
}

inline void add_groups(uint4& counter, unsigned long long n) noexcept {
  bool carry = false;
  add_to_pair(counter.x, counter.y, n, carry);
  if (carry) add_to_pair(counter.z, counter.w, 1, carry);
}

inline void next_group(curandStatePhilox4_32_10* state) noexcept {
  add_groups(state->ctr, 1);
  state->output = philox(state->ctr, state->key);
}

inline void forget_normals(curandStatePhilox4_32_10* state) noexcept {
  state->boxmuller_flag = 0;
  state->boxmuller_flag_double = 0;
  state->boxmuller_extra = 0;
  state->boxmuller_extra_double = 0;
}

}  // namespace warpfiber::random

/// The next 32 bits.
inline unsigned int curand(curandStatePhilox4_32_10_t* state) {
  const unsigned int place = state->STATE++;
  const unsigned int bits = place == 0   ? state->output.x
                            : place == 1 ? state->output.y
                            : place == 2 ? state->output.z
                                         : state->output.w;
  if (state->STATE == 4) {
    warpfiber::random::next_group(state);
    state->STATE = 0;
  }
  return bits;
}

/// The next four numbers, which may lie in two groups.
inline uint4 curand4(curandStatePhilox4_32_10_t* state) {
  const uint4 first = state->output;
  warpfiber::random::next_group(state);
  const uint4 second = state->output;
  switch (state->STATE) {
    case 0: return first;
    case 1: return {first.y, first.z, first.w, second.x};
    case 2: return {first.z, first.w, second.x, second.y};
    default: return {first.w, second.x, second.y, second.z};
  }
}

/// Moves the state by n numbers, and by n subsequences.
inline void skipahead(unsigned long long n, curandStatePhilox4_32_10_t* state) {
  const unsigned int place = state->STATE + static_cast<unsigned int>(n & 3);
  state->STATE = place & 3;
  warpfiber::random::add_groups(state->ctr, n / 4 + place / 4);
  state->output = warpfiber::random::philox(state->ctr, state->key);
}
inline void skipahead_sequence(unsigned long long n, curandStatePhilox4_32_10_t* state) {
  bool carry = false;
  warpfiber::random::add_to_pair(state->ctr.z, state->ctr.w, n, carry);
  state->output = warpfiber::random::philox(state->ctr, state->key);
}

/// The state of `seed` in `subsequence` after `offset` numbers.
inline void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset,
                        curandStatePhilox4_32_10_t* state) {
  const auto low = static_cast<unsigned int>(subsequence);
  const auto high = static_cast<unsigned int>(subsequence >> 32);
  state->ctr = {0, 0, low, high};
  state->key = {static_cast<unsigned int>(seed), static_cast<unsigned int>(seed >> 32)};
  state->STATE = 0;
  warpfiber::random::forget_normals(state);
  skipahead(offset, state);
}
