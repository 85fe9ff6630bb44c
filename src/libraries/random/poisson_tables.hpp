// SPDX-License-Identifier: Apache-2.0
//
// Tables of Poisson's distribution for one mean, as cuRAND makes them for curand_discrete and for its generators of the
// host. Used there, by the host.
#pragma once

#include <warpfiber/cuda/curand/poisson.hpp>

#include <vector>

namespace warpfiber::random {

/// Means from here on have no tables: a normal number is rounded.
inline constexpr double kLeastWithoutTables = 2000;

/// The columns of a square histogram.
struct HistogramColumns {
  unsigned first = 0;
  std::vector<double> bounds;
  std::vector<unsigned> others;

  SquareHistogram view() const noexcept {
    return {bounds.data(), others.data(), first, static_cast<unsigned>(bounds.size())};
  }
};
HistogramColumns poisson_histogram(double mean);

/// The probabilities of at most so many.
struct PoissonSums {
  unsigned first = 0;
  std::vector<double> sums;

  /// The smallest count whose sum is not below `uniform`, or else the last one.
  unsigned count_at(double uniform) const noexcept;
};
PoissonSums poisson_sums(double mean);

}  // namespace warpfiber::random
