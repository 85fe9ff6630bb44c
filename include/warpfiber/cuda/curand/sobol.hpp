// SPDX-License-Identifier: Apache-2.0
//
// curand_init, curand and skipahead for Sobol's sequences of 32 and 64 bits, in the order of the Gray code (Antonov and
// Saleev, "An economic method of computing LP-tau sequences", 1979). A state is one dimension; the caller names its
// direction numbers. Scrambled sequences begin with a constant that is added to all numbers (exclusive or).
#pragma once

#include <warpfiber/cuda/curand/states.hpp>
#include <warpfiber/detail/config.hpp>

typedef unsigned int curandDirectionVectors32_t[32];
typedef unsigned long long curandDirectionVectors64_t[64];

namespace warpfiber::random {

/// The number at `index`, less the constant: the direction numbers of all bits of the index's Gray code.
template <class Word, int kBits>
Word sobol_number(const Word (&directions)[kBits], Word index) noexcept {
  const Word code = index ^ (index >> 1);
  Word number = 0;
  for (int bit = 0; bit < kBits; ++bit) {
    if ((code >> bit & 1) != 0) number ^= directions[bit];
  }
  return number;
}

template <class State, class Word, int kBits>
WARPFIBER_AT_CALLER inline void start_sobol(State* state, const Word (&directions)[kBits], Word constant,
                                            Word index) noexcept {
  for (int bit = 0; bit < kBits; ++bit) state->direction_vectors[bit] = directions[bit];
  state->c = constant;
  state->i = index;
  state->x = constant ^ sobol_number(state->direction_vectors, index);
}

/// The next number is this one and the direction number of the lowest bit that is not set in its index.
template <class Word, class State>
WARPFIBER_AT_CALLER inline Word next_sobol(State* state) noexcept {
  const Word number = state->x;
  const Word index = state->i++;
  const int bit = index == static_cast<Word>(~Word{0}) ? 0 : __builtin_ctzll(~static_cast<unsigned long long>(index));
  state->x ^= state->direction_vectors[bit];
  return number;
}

}  // namespace warpfiber::random

#define WARPFIBER_SOBOL(State, Word, Directions)                                               \
  /* The next number of the dimension. */                                                      \
  inline Word curand(State* state) {                                                           \
    return warpfiber::random::next_sobol<Word>(state);                                         \
  }                                                                                            \
  /* Moves the state by n numbers. */                                                          \
  inline void skipahead(Word n, State* state) {                                                \
    state->i += n;                                                                             \
    state->x = state->c ^ warpfiber::random::sobol_number(state->direction_vectors, state->i); \
  }
#define WARPFIBER_PLAIN_SOBOL(State, Word, Directions)                                                          \
  WARPFIBER_SOBOL(State, Word, Directions)                                                                      \
  /* The dimension with these direction numbers, after `offset` numbers. */                                     \
  inline void curand_init(Directions direction_vectors, Word offset, State* state) {                            \
    using Vectors = Directions;                                                                                 \
    warpfiber::random::start_sobol(state, reinterpret_cast<Vectors&>(*direction_vectors), static_cast<Word>(0), \
                                   offset);                                                                     \
  }
#define WARPFIBER_SCRAMBLED_SOBOL(State, Word, Directions)                                                     \
  WARPFIBER_SOBOL(State, Word, Directions)                                                                     \
  inline void curand_init(Directions direction_vectors, Word scramble_c, Word offset, State* state) {          \
    using Vectors = Directions;                                                                                \
    warpfiber::random::start_sobol(state, reinterpret_cast<Vectors&>(*direction_vectors), scramble_c, offset); \
  }

WARPFIBER_PLAIN_SOBOL(curandStateSobol32_t, unsigned int, curandDirectionVectors32_t)
WARPFIBER_PLAIN_SOBOL(curandStateSobol64_t, unsigned long long, curandDirectionVectors64_t)
WARPFIBER_SCRAMBLED_SOBOL(curandStateScrambledSobol32_t, unsigned int, curandDirectionVectors32_t)
WARPFIBER_SCRAMBLED_SOBOL(curandStateScrambledSobol64_t, unsigned long long, curandDirectionVectors64_t)

#undef WARPFIBER_PLAIN_SOBOL
#undef WARPFIBER_SCRAMBLED_SOBOL
#undef WARPFIBER_SOBOL
