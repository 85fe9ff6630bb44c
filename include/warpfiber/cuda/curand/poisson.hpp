// SPDX-License-Identifier: Apache-2.0
//
// curand_poisson, and curand_discrete for distributions of curandCreatePoissonDistribution. Pseudorandom generators
// multiply uniform numbers below a mean of 64 (Knuth, "The Art of Computer Programming", volume 2, 3.4.1), and round a
// normal number above 4000: these results are the device's. Else the distribution is inverted, one number for one. The
// device has tables and approximations for that, so its results are others, of the same distribution.
#pragma once

#include <warpfiber/cuda/curand/normal.hpp>

/// A distribution that the host made, in the device's memory.
struct curandDiscreteDistribution_st {
  double mean;
};
typedef struct curandDiscreteDistribution_st* curandDiscreteDistribution_t;

namespace warpfiber::random {

/// The smallest count for which so many, or fewer, have at least the probability `below`.
unsigned int poisson_quantile(double mean, double below) noexcept;

inline constexpr double kLeastInverted = 64;
inline constexpr double kGreatestInverted = 4000;

/// A number in (0, 1) of one number of the generator.
inline double between(unsigned int bits) noexcept {
  return bits * 0x1p-32 + 0x1p-33;
}
inline double between(unsigned long long bits) noexcept {
  return unit_double(bits);
}

template <class State>
unsigned int draw_poisson_by_product(State* state, float mean) noexcept {
  const float end = expf(mean);
  float product = 1;
  unsigned int count = 0;
  do {
    ++count;
    product *= curand_uniform(state);
  } while (product * end > 1);
  return count - 1;
}
template <class State>
unsigned int draw_poisson_rounded(State* state, double mean) noexcept {
  return static_cast<unsigned int>(curand_normal_double(state) * sqrt(mean) + mean + 0.5);
}
template <class State>
unsigned int draw_quasi_poisson(State* state, double mean) noexcept {
  if (mean > kGreatestInverted) return draw_poisson_rounded(state, mean);
  return poisson_quantile(mean, between(curand(state)));
}
template <class State>
unsigned int draw_poisson(State* state, double mean) noexcept {
  if (mean < kLeastInverted) return draw_poisson_by_product(state, static_cast<float>(mean));
  return draw_quasi_poisson(state, mean);
}

}  // namespace warpfiber::random

#define WARPFIBER_POISSON(State, draw)                                                                    \
  inline unsigned int curand_poisson(State* state, double lambda) {                                       \
    return warpfiber::random::draw(state, lambda);                                                        \
  }                                                                                                       \
  inline unsigned int curand_discrete(State* state, curandDiscreteDistribution_t discrete_distribution) { \
    return warpfiber::random::draw_quasi_poisson(state, discrete_distribution->mean);                     \
  }

WARPFIBER_POISSON(curandStateXORWOW_t, draw_poisson)
WARPFIBER_POISSON(curandStatePhilox4_32_10_t, draw_poisson)
WARPFIBER_POISSON(curandStateMRG32k3a_t, draw_poisson)
WARPFIBER_POISSON(curandStateSobol32_t, draw_quasi_poisson)
WARPFIBER_POISSON(curandStateScrambledSobol32_t, draw_quasi_poisson)
WARPFIBER_POISSON(curandStateSobol64_t, draw_quasi_poisson)
WARPFIBER_POISSON(curandStateScrambledSobol64_t, draw_quasi_poisson)

#undef WARPFIBER_POISSON

/// Four numbers, one after the other.
inline uint4 curand_poisson4(curandStatePhilox4_32_10_t* state, double lambda) {
  uint4 counts;
  counts.x = curand_poisson(state, lambda);
  counts.y = curand_poisson(state, lambda);
  counts.z = curand_poisson(state, lambda);
  counts.w = curand_poisson(state, lambda);
  return counts;
}
inline uint4 curand_discrete4(curandStatePhilox4_32_10_t* state, curandDiscreteDistribution_t discrete_distribution) {
  uint4 counts;
  counts.x = curand_discrete(state, discrete_distribution);
  counts.y = curand_discrete(state, discrete_distribution);
  counts.z = curand_discrete(state, discrete_distribution);
  counts.w = curand_discrete(state, discrete_distribution);
  return counts;
}
