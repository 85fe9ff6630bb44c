// SPDX-License-Identifier: Apache-2.0
//
// curand_init, curand and skipahead for XORWOW (Marsaglia, "Xorshift RNGs", Journal of Statistical Software 8(14),
// 2003). A subsequence is 2^67 numbers. The counter's step and the five start words are Marsaglia's; how a seed changes
// the words is as on the device, so that numbers are equal bit for bit.
#pragma once

#include <warpfiber/cuda/curand/jumps.hpp>
#include <warpfiber/cuda/curand/states.hpp>

namespace warpfiber::random {

inline constexpr unsigned int kXorwowStep = 362437;

inline void forget_normals(curandStateXORWOW* state) noexcept {
  state->boxmuller_flag = 0;
  state->boxmuller_flag_double = 0;
  state->boxmuller_extra = 0;
  state->boxmuller_extra_double = 0;
}

inline void jump(curandStateXORWOW* state, unsigned long long sequences, unsigned long long steps) noexcept {
  unsigned int words[5] = {state->v[0], state->v[1], state->v[2], state->v[3], state->v[4]};
  jump_xorwow(words, sequences, steps);
  for (int i = 0; i < 5; ++i) state->v[i] = words[i];
  state->d += kXorwowStep * static_cast<unsigned int>(steps);
}

}  // namespace warpfiber::random

/// The next 32 bits.
inline unsigned int curand(curandStateXORWOW_t* state) {
  const unsigned int last = state->v[4];
  unsigned int t = state->v[0] ^ (state->v[0] >> 2);
  t ^= t << 1;
  for (int i = 0; i < 4; ++i) state->v[i] = state->v[i + 1];
  state->v[4] = last ^ (last << 4) ^ t;
  state->d += warpfiber::random::kXorwowStep;
  return state->v[4] + state->d;
}

/// Moves the state by n numbers, and by n * 2^67 numbers.
inline void skipahead(unsigned long long n, curandStateXORWOW_t* state) {
  warpfiber::random::jump(state, 0, n);
}
inline void skipahead_sequence(unsigned long long n, curandStateXORWOW_t* state) {
  warpfiber::random::jump(state, n, 0);
}

/// The state of `seed` after `subsequence` * 2^67 + `offset` numbers.
inline void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset,
                        curandStateXORWOW_t* state) {
  const unsigned int low = (static_cast<unsigned int>(seed) ^ 0xaad26b49u) * 1099087573u;
  const unsigned int high = (static_cast<unsigned int>(seed >> 32) ^ 0xf7dcefddu) * 2591861531u;
  state->d = 6615241u + high + low;
  state->v[0] = 123456789u + low;
  state->v[1] = 362436069u ^ low;
  state->v[2] = 521288629u + high;
  state->v[3] = 88675123u ^ high;
  state->v[4] = 5783321u + low;
  warpfiber::random::forget_normals(state);
  if (subsequence != 0 || offset != 0) warpfiber::random::jump(state, subsequence, offset);
}
