// SPDX-License-Identifier: Apache-2.0
// The passes that a transform of a line is made of, each of one radix: 2, 4 or an odd prime. LineTransform's.
#pragma once

#include <cstddef>

#include "numerics/fft/line_transform.hpp"

namespace warpfiber::numerics::fft {

/// There are passes of all primes up to it. Above it, the quadratic cost of a factor is more than that of Bluestein's
/// algorithm.
constexpr std::size_t kLargestRadix = 31;

/// One pass: `count` transforms of `radix * rest` numbers that lie `count` apart become `radix * count` of `rest`.
struct Pass {
  std::size_t radix;
  std::size_t rest;
  std::size_t count;
  const Complex* roots;  // of the whole line: exp(-2πi k / (radix * rest * count))
  const Complex* from;
  Complex* to;

  [[nodiscard]] Complex twiddle(std::size_t group, std::size_t leg) const { return roots[count * group * leg]; }
};

/// Reads `radix * rest * count` numbers of `from` and writes as many of `to`.
void run_pass(const Pass& pass);

}  // namespace warpfiber::numerics::fft
