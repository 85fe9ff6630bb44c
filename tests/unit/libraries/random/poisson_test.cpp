// SPDX-License-Identifier: Apache-2.0
//
// Numbers that have Poisson's distribution, by Pearson's test against the exact probabilities. That they are a device's
// is tested by tests/curand. Seeds are fixed, so that a result is too.
#include <warpfiber/cuda/curand/poisson.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "random/generator.hpp"
#include "random/poisson_tables.hpp"
#include "support/catch.hpp"

namespace {

using namespace warpfiber::random;

constexpr unsigned kDrawn = 30000;
constexpr double kLeastExpected = 8;

double probability(unsigned count, double mean) {
  return std::exp(count * std::log(mean) - mean - std::lgamma(count + 1.0));
}

/// How many standard deviations Pearson's sum is above its mean. Counts that are too rare are taken together.
double excess(const std::vector<unsigned>& drawn, double mean) {
  std::vector<unsigned> counts(static_cast<std::size_t>(mean + 40 * std::sqrt(mean) + 40));
  for (const unsigned number : drawn) ++counts[std::min<std::size_t>(number, counts.size() - 1)];
  double sum = 0;
  double expected = 0;
  double found = 0;
  double left = static_cast<double>(drawn.size());
  double left_found = left;
  unsigned parts = 0;
  const auto add = [&](double wanted, double had) {
    sum += (had - wanted) * (had - wanted) / wanted;
    ++parts;
  };
  for (unsigned count = 0; count < counts.size(); ++count) {
    expected += probability(count, mean) * static_cast<double>(drawn.size());
    found += counts[count];
    if (expected < kLeastExpected || left - expected < kLeastExpected) continue;
    add(expected, found);
    left -= expected;
    left_found -= found;
    expected = found = 0;
  }
  add(left, left_found);
  return (sum - (parts - 1)) / std::sqrt(2.0 * (parts - 1));
}

template <class State, class Draw>
std::vector<unsigned> numbers_of(Draw draw) {
  State state;
  curand_init(20, 3, 0, &state);
  std::vector<unsigned> drawn(kDrawn);
  for (unsigned& number : drawn) number = draw(&state);
  return drawn;
}

}  // namespace

TEMPLATE_TEST_CASE("curand_poisson has Poisson's distribution", "", curandStateXORWOW, curandStatePhilox4_32_10,
                   curandStateMRG32k3a) {
  const double mean = GENERATE(0.3, 12.0, 63.9, 64.0, 100.5, 999.0, 1001.0, 3999.0);
  CAPTURE(mean);
  CHECK(excess(numbers_of<TestType>([&](TestType* state) { return curand_poisson(state, mean); }), mean) < 4);
}

TEMPLATE_TEST_CASE("curand_discrete has the distribution of its table", "", curandStateXORWOW, curandStatePhilox4_32_10,
                   curandStateMRG32k3a) {
  const double mean = GENERATE(0.3, 12.0, 100.5, 1500.0);
  const HistogramColumns columns = poisson_histogram(mean);
  curandDiscreteDistribution_st distribution{mean, std::sqrt(mean), columns.view()};
  CAPTURE(mean);
  CHECK(excess(numbers_of<TestType>([&](TestType* state) { return curand_discrete(state, &distribution); }), mean) < 4);
}

TEST_CASE("counts of every generator of the host have Poisson's distribution") {
  const Method method = GENERATE(Method::xorwow, Method::mrg32k3a, Method::philox, Method::mt19937);
  const double mean = GENERATE(0.3, 12.0, 100.5, 1500.0);
  std::vector<unsigned> drawn(kDrawn);
  make_generator({method, 11})->fill(drawn.data(), drawn.size(), {RandomForm::poisson, mean});
  CAPTURE(static_cast<int>(method), mean);
  CHECK(excess(drawn, mean) < 4);
}

TEST_CASE("counts that rejection does not accept") {
  const PoissonRejection rejection = poisson_rejection(64);
  CHECK(accepts_count(rejection, 64, 0.01F));
  CHECK_FALSE(accepts_count(rejection, 64, 1));
  CHECK_FALSE(accepts_count(rejection, proposed_count(rejection, 1), 0x1p-33F));
  CHECK(proposed_count(rejection, 0x1p-33F) < 0);
  CHECK_FALSE(accepts_count(rejection, -1, 0x1p-33F));
}

TEST_CASE("a mean that is no number gives 0") {
  curandStateXORWOW state;
  curand_init(20, 3, 0, &state);
  CHECK(curand_poisson(&state, std::nan("")) == 0);
}

TEST_CASE("another distribution than Poisson's is noticed") {
  std::vector<unsigned> drawn(kDrawn);
  make_generator({Method::philox, 11})->fill(drawn.data(), drawn.size(), {RandomForm::poisson, 100.5});
  CHECK(excess(drawn, 101) > 4);
  CHECK(excess(drawn, 100) > 4);
}
