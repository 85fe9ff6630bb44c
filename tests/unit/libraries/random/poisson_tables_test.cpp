// SPDX-License-Identifier: Apache-2.0
//
// Square histograms against those that curandCreatePoissonDistribution made in the memory of an H200 (cuRAND 10.4), and
// what any histogram of a distribution has to be.
#include "random/poisson_tables.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

#include "support/catch.hpp"

namespace {

using namespace warpfiber::random;

struct Recorded {
  double mean;
  unsigned first;
  std::size_t columns;
  std::uint64_t hash;  // of the bits of all bounds, and of all other counts
};
const Recorded kRecorded[] = {
    {1e-06, 0, 45, 0x8a5de85ab3111eea},        {0.01, 0, 92, 0x80e6610945b7c3d9},
    {0.3, 0, 144, 0x1f62268600c9eed5},         {1.0, 0, 178, 0xdb1d3c5b96c00cc5},
    {5.5, 0, 259, 0xccfb3ce1706556db},         {12.0, 0, 320, 0x6c7065144336c3a8},
    {30.0, 0, 429, 0x32f0a105287263ee},        {63.9, 0, 570, 0x4dd033056bbf622c},
    {64.0, 0, 571, 0xcf5a7eb169b53575},        {64.5, 0, 573, 0x3b3c5fa2ec202db8},
    {70.0, 0, 592, 0x4a47be0d274b5a30},        {100.0, 0, 690, 0xdb9264742f3220fd},
    {100.5, 0, 691, 0x2e86602c8d76239e},       {200.0, 0, 957, 0x265d6dbdc7b8f5b8},
    {500.0, 0, 1583, 0xaf98a3ecb451c913},      {1000.0, 71, 2374, 0x6e6aaefd89a21677},
    {1500.0, 286, 2935, 0x9c485628e87c23c2},   {1999.5, 549, 3403, 0x62a15322598eb565},
    {1999.999, 550, 3403, 0x69e2588e4decef59},
};

std::uint64_t hash_of(const HistogramColumns& columns) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const double bound : columns.bounds) hash = (hash ^ std::bit_cast<std::uint64_t>(bound)) * 0x100000001b3;
  for (const unsigned other : columns.others) hash = (hash ^ other) * 0x100000001b3;
  return hash;
}

}  // namespace

TEST_CASE("square histograms are a device's, bit for bit") {
  for (const Recorded& recorded : kRecorded) {
    CAPTURE(recorded.mean);
    const HistogramColumns columns = poisson_histogram(recorded.mean);
    CHECK(columns.first == recorded.first);
    REQUIRE(columns.bounds.size() == recorded.columns);
    CHECK(hash_of(columns) == recorded.hash);
  }
}

TEST_CASE("the columns of a histogram add up to the probabilities") {
  const double mean = GENERATE(0.01, 1.0, 17.3, 500.0, 1999.0);
  const HistogramColumns columns = poisson_histogram(mean);
  const auto size = static_cast<double>(columns.bounds.size());
  std::vector<double> sums(columns.bounds.size());
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const double own = columns.bounds[i] - static_cast<double>(i) / size;
    sums[i] += own;
    sums[columns.others[i]] += 1 / size - own;
  }
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const double count = static_cast<double>(i) + columns.first;
    CAPTURE(mean, count);
    REQUIRE(sums[i] == Catch::Approx(std::exp(count * std::log(mean) - mean - std::lgamma(count + 1))).margin(1e-13));
  }
}

TEST_CASE("a uniform number of 1 is in the last column") {
  const HistogramColumns columns = poisson_histogram(5.5);
  const SquareHistogram histogram = columns.view();
  CHECK(count_in(histogram, 1) == columns.others.back());
  CHECK(count_in(histogram, 0x1p-32) == 0);
}

TEST_CASE("a count that is searched for in sums is the quantile") {
  const double mean = GENERATE(0.3, 10.0, 64.0, 1999.0, 8000.0);
  const PoissonSums sums = poisson_sums(mean);
  for (double below = 1e-9; below < 1 - 1e-6; below += 0.00037) {
    CAPTURE(mean, below);
    REQUIRE(sums.count_at(below) == poisson_quantile(mean, below));
  }
  CHECK(sums.count_at(1) > mean);
}
