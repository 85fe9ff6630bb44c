// SPDX-License-Identifier: Apache-2.0
//
// poisson_quantile of <warpfiber/cuda/curand/poisson.hpp>: from an approximation it goes to the exact place by adding
// probabilities. Called by kernels and host code through that header only.
#include <warpfiber/cuda/curand/poisson.hpp>

#include <cmath>

namespace warpfiber::random {
namespace {

constexpr double kNegligible = 1e-18;
constexpr double kGreatest = 1 - 0x1p-53;  // numbers of 53 bits may round to 1

double poisson_probability(double count, double mean) {
  int sign = 0;
  return std::exp(count * std::log(mean) - mean - lgamma_r(count + 1, &sign));
}

/// The probability of at most `count`: the sum of the tail that has no mode in it.
double poisson_below(double count, double mean, double probability) {
  double sum = 0;
  if (count <= mean) {
    for (double k = count, term = probability; k >= 0 && term > kNegligible * sum; term *= k / mean, --k) sum += term;
    return sum;
  }
  double term = probability;
  for (double k = count + 1; k < count + 10 * mean + 1000; ++k) {
    term *= mean / k;
    if (term <= kNegligible) break;
    sum += term;
  }
  return 1 - sum;
}

}  // namespace

unsigned int poisson_quantile(double mean, double below) noexcept {
  if (!(mean > 0)) return 0;
  below = std::fmin(below, kGreatest);
  const double z = below < 0.5 ? normal_quantile(below) : -normal_quantile(1 - below);
  double count = std::floor(std::fmax(0, mean + std::sqrt(mean) * z + (z * z - 1) / 6));
  double probability = poisson_probability(count, mean);
  double sum = poisson_below(count, mean, probability);
  while (sum < below && probability > kNegligible) {
    ++count;
    probability *= mean / count;
    sum += probability;
  }
  while (count > 0 && sum - probability >= below) {
    sum -= probability;
    probability *= count / mean;
    --count;
  }
  return static_cast<unsigned int>(count);
}

}  // namespace warpfiber::random
