// SPDX-License-Identifier: Apache-2.0
//
// curand_poisson, and curand_discrete for distributions of curandCreatePoissonDistribution. Numbers, and how many a
// state goes on for each, are the device's. Pseudorandom generators multiply uniform numbers below a mean of 64 (Knuth,
// "The Art of Computer Programming", volume 2, 3.4.1), reject proposals up to 4000, and round a normal number above.
// One number stays one for the others: the distribution is inverted, or looked up in a square histogram (Marsaglia,
// Tsang, Wang, "Fast generation of discrete random variables", Journal of Statistical Software 11(3), 2004).
#pragma once

#include <warpfiber/cuda/curand/normal.hpp>

namespace warpfiber::random {

/// Of a square of as many columns as counts: column i is i below its bound, and another count above. The count `first`
/// is 0 in the square. No columns: the mean is too large.
struct SquareHistogram {
  const double* bounds;
  const unsigned int* others;
  unsigned int first;
  unsigned int columns;
};

}  // namespace warpfiber::random

/// A distribution that the host made, in the device's memory, with its histogram.
struct curandDiscreteDistribution_st {
  double mean;
  double deviation;
  warpfiber::random::SquareHistogram histogram;
};
typedef struct curandDiscreteDistribution_st* curandDiscreteDistribution_t;

namespace warpfiber::random {

/// The smallest count for which so many, or fewer, have at least the probability `below`.
unsigned int poisson_quantile(double mean, double below) noexcept;

/// What the rejection method needs of a mean: the parameters of a curve near the distribution, whose inverse proposes.
struct PoissonRejection {
  float mean;
  float slope;
  float inverse_slope;
  float middle;
  float log_mean;
};

/// Of a mean from 64 to 4000.
PoissonRejection poisson_rejection(float mean) noexcept;
/// The count that a uniform number proposes; negative or infinite ones are not accepted.
float proposed_count(const PoissonRejection& of, float uniform) noexcept;
/// Whether a second uniform number lets the count be the result.
bool accepts_count(const PoissonRejection& of, float count, float uniform) noexcept;

inline constexpr double kLeastRejected = 64;
inline constexpr double kGreatestRejected = 4000;
inline constexpr double kLeastRounded = 1000;  // where one number becomes one

/// A number in (0, 1) of one number of the generator.
inline double between(unsigned int bits) noexcept {
  return bits * 0x1p-32 + 0x1p-33;
}
inline double between(unsigned long long bits) noexcept {
  return unit_double(bits);
}

inline unsigned int rounded_count(double normal, double mean, double deviation) noexcept {
  return static_cast<unsigned int>(normal * deviation + mean + 0.5);
}

/// Of a uniform number in (0, 1]. NVIDIA's reads past its table for 1.
inline unsigned int count_in(const SquareHistogram& histogram, double uniform) noexcept {
  auto column = static_cast<unsigned int>(histogram.columns * uniform);
  if (column == histogram.columns) --column;
  return histogram.first + (uniform < histogram.bounds[column] ? column : histogram.others[column]);
}

template <class Bits>
unsigned int quasi_poisson(Bits bits, double mean) noexcept {
  if (mean >= kLeastRounded) return rounded_count(inverse_normal_double(bits), mean, sqrt(mean));
  return poisson_quantile(mean, between(bits));
}
template <class State>
unsigned int draw_quasi_poisson(State* state, double mean) noexcept {
  return quasi_poisson(curand(state), mean);
}

template <class State>
unsigned int draw_poisson_by_product(State* state, float mean) noexcept {
  float product = expf(mean);
  unsigned int count = 0;
  do {
    ++count;
    product *= curand_uniform(state);
  } while (product > 1);
  return count - 1;
}
template <class State>
unsigned int draw_poisson_by_rejection(State* state, float mean) noexcept {
  const PoissonRejection rejection = poisson_rejection(mean);
  for (;;) {
    const float count = proposed_count(rejection, curand_uniform(state));
    if (accepts_count(rejection, count, curand_uniform(state))) return static_cast<unsigned int>(count);
  }
}
template <class State>
unsigned int draw_poisson(State* state, double mean) noexcept {
  if (mean != mean) return 0;  // a device does not return
  if (mean < kLeastRejected) return draw_poisson_by_product(state, static_cast<float>(mean));
  if (mean <= kGreatestRejected) return draw_poisson_by_rejection(state, static_cast<float>(mean));
  return rounded_count(curand_normal_double(state), mean, sqrt(mean));
}

template <class State>
unsigned int draw_discrete(State* state, const curandDiscreteDistribution_st& of) noexcept {
  if (of.histogram.columns != 0) return count_in(of.histogram, unit_double(curand(state)));
  return rounded_count(curand_normal_double(state), of.mean, of.deviation);
}

inline uint4 rounded_counts(double4 normal, double mean, double deviation) noexcept {
  return {rounded_count(normal.x, mean, deviation), rounded_count(normal.y, mean, deviation),
          rounded_count(normal.z, mean, deviation), rounded_count(normal.w, mean, deviation)};
}

}  // namespace warpfiber::random

#define WARPFIBER_POISSON(State, draw)                                                                    \
  inline unsigned int curand_poisson(State* state, double lambda) {                                       \
    return warpfiber::random::draw(state, lambda);                                                        \
  }                                                                                                       \
  inline unsigned int curand_discrete(State* state, curandDiscreteDistribution_t discrete_distribution) { \
    return warpfiber::random::draw_discrete(state, *discrete_distribution);                               \
  }

WARPFIBER_POISSON(curandStateXORWOW_t, draw_poisson)
WARPFIBER_POISSON(curandStatePhilox4_32_10_t, draw_poisson)
WARPFIBER_POISSON(curandStateMRG32k3a_t, draw_poisson)
WARPFIBER_POISSON(curandStateSobol32_t, draw_quasi_poisson)
WARPFIBER_POISSON(curandStateScrambledSobol32_t, draw_quasi_poisson)
WARPFIBER_POISSON(curandStateSobol64_t, draw_quasi_poisson)
WARPFIBER_POISSON(curandStateScrambledSobol64_t, draw_quasi_poisson)

#undef WARPFIBER_POISSON

/// Four numbers, one after the other. Those that are rounded are of two new pairs of normal numbers.
inline uint4 curand_poisson4(curandStatePhilox4_32_10_t* state, double lambda) {
  using namespace warpfiber::random;
  if (lambda > kGreatestRejected) return rounded_counts(curand_normal4_double(state), lambda, sqrt(lambda));
  uint4 counts;
  counts.x = curand_poisson(state, lambda);
  counts.y = curand_poisson(state, lambda);
  counts.z = curand_poisson(state, lambda);
  counts.w = curand_poisson(state, lambda);
  return counts;
}
inline uint4 curand_discrete4(curandStatePhilox4_32_10_t* state, curandDiscreteDistribution_t discrete_distribution) {
  using namespace warpfiber::random;
  const curandDiscreteDistribution_st& of = *discrete_distribution;
  if (of.histogram.columns == 0) return rounded_counts(curand_normal4_double(state), of.mean, of.deviation);
  const uint4 bits = curand4(state);
  return {count_in(of.histogram, unit_double(bits.x)), count_in(of.histogram, unit_double(bits.y)),
          count_in(of.histogram, unit_double(bits.z)), count_in(of.histogram, unit_double(bits.w))};
}
