// SPDX-License-Identifier: Apache-2.0
//
// Generators that fill arrays, and the tables behind them: what does not depend on a GPU's numbers, which tests/curand
// has.
#include "random/generator.hpp"

#include <warpfiber/cuda/curand/poisson.hpp>

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "random/sobol_tables.hpp"
#include "support/catch.hpp"

namespace {

using namespace warpfiber::random;

std::vector<unsigned> bits_of(NumberGenerator& generator, std::size_t count) {
  std::vector<unsigned> bits(count);
  generator.fill(bits.data(), count, {RandomForm::bits});
  return bits;
}

std::vector<unsigned> bits_of(const GeneratorSettings& settings, std::size_t count) {
  return bits_of(*make_generator(settings), count);
}

Method any_pseudo_method() {
  return GENERATE(Method::xorwow, Method::mrg32k3a, Method::philox, Method::mt19937);
}

}  // namespace

TEST_CASE("a call goes on where the one before ended") {
  const Method method = any_pseudo_method();
  const auto generator = make_generator({method, 7});
  std::vector<unsigned> together;
  for (const std::size_t count : {5u, 4096u, 1u, 10000u}) {
    const std::vector<unsigned> part = bits_of(*generator, count);
    together.insert(together.end(), part.begin(), part.end());
  }
  CHECK(together == bits_of({method, 7}, together.size()));
}

TEST_CASE("an offset leaves out as many numbers") {
  const Method method = any_pseudo_method();
  const std::size_t offset = GENERATE(1u, 4095u, 4096u, 90000u, 300003u);
  std::vector<unsigned> all = bits_of({method, 3}, offset + 5000);
  all.erase(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(offset));
  CHECK(bits_of({method, 3, offset}, 5000) == all);
}

TEST_CASE("as many numbers of each dimension follow one another") {
  const std::vector<unsigned> bits = bits_of({Method::sobol32, 0, 0, 3}, 12);
  CHECK(std::vector<unsigned>(bits.begin(), bits.begin() + 4) == bits_of({Method::sobol32, 0, 0, 1}, 4));
  CHECK(bits[4] == 0);
  CHECK(bits[5] == 0x80000000u);
}

TEST_CASE("2^k numbers of any dimension fall into as many parts of equal size") {
  const bool scrambled = GENERATE(false, true);
  const std::size_t dimension = GENERATE(0u, 1u, 77u, 3666u);
  const auto* directions = sobol_directions32(scrambled)[dimension];
  std::set<unsigned> parts;
  unsigned number = scrambled ? sobol_constants32()[dimension] : 0;
  for (unsigned i = 0; i < 1024; ++i) {
    parts.insert(number >> 22);
    number ^= directions[__builtin_ctz(~i)];
  }
  CHECK(parts.size() == 1024);
}

TEST_CASE("rows beyond the dimensions that there are hold zeros") {
  CHECK(kSobolDimensions == 3667);
  CHECK(sobol_directions32(false)[kSobolDimensions - 1][0] != 0);
  CHECK(sobol_directions32(false)[kSobolDimensions][0] == 0);
  CHECK(sobol_directions64(true)[kSobolRows - 1][63] == 0);
}

TEST_CASE("a count is far above its mean where the probability rounds to one") {
  CHECK(poisson_quantile(100, 1) > 180);
  CHECK(poisson_quantile(100, 1) < 250);
}

TEST_CASE("a normal number's quantile is the inverse of erfc") {
  for (double p = 0.5; p > 1e-19; p *= 0.97) {
    CAPTURE(p);
    REQUIRE(normal_quantile(p) == Catch::Approx(-std::sqrt(2.0) * erfcinv(2 * p)).epsilon(2e-15).margin(1e-17));
  }
}

TEST_CASE("a quantile is the first count with the probability") {
  const double mean = GENERATE(0.1, 1.0, 17.3, 64.0, 1000.0, 4000.0);
  double sum = std::exp(-mean);
  double logarithm = -mean;
  for (unsigned count = 0; count < 2 * mean + 20; ++count) {
    if (sum > 1e-9 && sum < 1 - 1e-7) {
      CAPTURE(mean, count, sum);
      const double little = std::min(sum, 1 - sum) * 1e-4;
      REQUIRE(poisson_quantile(mean, sum - little) == count);
      REQUIRE(poisson_quantile(mean, sum + little) == count + 1);
    }
    logarithm += std::log(mean / (count + 1));
    sum += std::exp(logarithm);
  }
}
