// SPDX-License-Identifier: Apache-2.0
//
// Sums are rounded as the device's tables are, which all of tests/unit/libraries/random/poisson_tables_test.cpp has to
// the bit: a logarithm of a factorial is a running sum, and the columns of a histogram are filled in the order given
// here.
#include "random/poisson_tables.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

namespace warpfiber::random {
namespace {

/// Of the counts from `first` on whose probabilities are not 0 as doubles.
struct Probabilities {
  unsigned first = 0;
  std::vector<double> values;
};

Probabilities poisson_probabilities(double mean) {
  Probabilities made;
  const double log_mean = std::log(mean);
  double log_factorial = 0;
  for (unsigned count = 0;; ++count) {
    if (count > 0) log_factorial += std::log(static_cast<double>(count));
    const double value = std::exp(count * log_mean - mean - log_factorial);
    if (value > 0) {
      made.values.push_back(value);
    } else if (count < mean) {
      made.first = count + 1;
    } else {
      return made;
    }
  }
}

/// Fills columns that are lower than the average from the last one that is higher, which may become lower by that and
/// is filled itself in a later pass.
class Filling {
 public:
  explicit Filling(std::vector<double>& heights)
      : heights_(heights), average_(1.0 / static_cast<double>(heights.size())), giver_(heights.size()) {}

  /// The column that the rest of `column` is from, or `column` itself if it is full.
  std::size_t fill(std::size_t column) {
    while (giver_ > 0 && !(heights_[giver_ - 1] > average_)) --giver_;
    if (giver_ == 0 || !(heights_[column] < average_)) return column;
    heights_[giver_ - 1] -= average_ - heights_[column];
    heights_[column] = average_;
    return giver_ - 1;
  }
  double average() const { return average_; }

 private:
  std::vector<double>& heights_;
  double average_;
  std::size_t giver_;  // one more than the last column that may be higher
};

}  // namespace

HistogramColumns poisson_histogram(double mean) {
  Probabilities probabilities = poisson_probabilities(mean);
  std::vector<double>& heights = probabilities.values;
  HistogramColumns made{probabilities.first, std::vector<double>(heights.size()),
                        std::vector<unsigned>(heights.size())};
  Filling filling(heights);
  const auto bound = [&](std::size_t i) { return static_cast<double>(i) * filling.average() + heights[i]; };
  for (std::size_t i = 0; i < heights.size(); ++i) made.others[i] = static_cast<unsigned>(i);
  for (bool filled = true; filled;) {
    filled = false;
    for (std::size_t i = 0; i < heights.size(); ++i) {
      const double below = bound(i);
      const std::size_t giver = filling.fill(i);
      if (giver == i) continue;
      made.bounds[i] = below;
      made.others[i] = static_cast<unsigned>(giver);
      filled = true;
    }
  }
  for (std::size_t i = 0; i < heights.size(); ++i) {
    if (made.others[i] == i) made.bounds[i] = bound(i);
  }
  return made;
}

PoissonSums poisson_sums(double mean) {
  Probabilities probabilities = poisson_probabilities(mean);
  std::vector<double>& sums = probabilities.values;
  for (std::size_t i = 1; i < sums.size(); ++i) sums[i] += sums[i - 1];
  return {probabilities.first, std::move(sums)};
}

unsigned PoissonSums::count_at(double uniform) const noexcept {
  const auto place = std::lower_bound(sums.begin(), sums.end() - 1, uniform);
  return first + static_cast<unsigned>(place - sums.begin());
}

}  // namespace warpfiber::random
