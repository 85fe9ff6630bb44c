// SPDX-License-Identifier: Apache-2.0
// Transforms against the sum that defines them, computed in long double.
#include <cmath>
#include <complex>
#include <cstdint>
#include <numbers>
#include <vector>

#include "numerics/fft/array_transform.hpp"
#include "numerics/fft/line_transform.hpp"
#include "support/catch.hpp"

using namespace warpfiber::numerics::fft;

namespace {

using Long = std::complex<long double>;

double input(std::uint32_t k) {
  return static_cast<double>((k * 2654435761U) >> 8) / (1 << 24) - 0.5;
}

std::vector<Complex> inputs(std::size_t count) {
  std::vector<Complex> x(count);
  for (std::size_t i = 0; i < count; ++i) {
    x[i] = {input(static_cast<std::uint32_t>(2 * i + 1)), input(static_cast<std::uint32_t>(2 * i + 2))};
  }
  return x;
}

/// One number of the transform of `x` by its definition.
Long defined(const std::vector<Complex>& x, std::size_t j) {
  Long sum = 0;
  for (std::size_t k = 0; k < x.size(); ++k) {
    const long double angle = -2 * std::numbers::pi_v<long double> * static_cast<long double>(j * k % x.size()) /
                              static_cast<long double>(x.size());
    sum += Long(x[k]) * Long(std::cos(angle), std::sin(angle));
  }
  return sum;
}

/// The error of `y` as the transform of `x`, in parts of the norm.
long double error_of(const std::vector<Complex>& x, const std::vector<Complex>& y) {
  long double error = 0, norm = 0;
  for (std::size_t j = 0; j < x.size(); ++j) {
    const Long expected = defined(x, j);
    error += std::norm(Long(y[j]) - expected);
    norm += std::norm(expected);
  }
  return std::sqrt(error / norm);
}

}  // namespace

TEST_CASE("a line of any length is transformed within 2 units of double precision") {
  for (std::size_t length = 1; length <= 130; ++length) {
    CAPTURE(length);
    const LineTransform transform(length);
    std::vector<Complex> scratch(transform.scratch());
    const std::vector<Complex> x = inputs(length);
    std::vector<Complex> y = x;
    transform.run(y.data(), scratch.data(), TransformDirection::forward);
    CHECK(error_of(x, y) < 4.5e-16L);
    transform.run(y.data(), scratch.data(), TransformDirection::inverse);
    for (std::size_t i = 0; i < length; ++i) CHECK(std::abs(y[i] / static_cast<double>(length) - x[i]) < 1e-15);
  }
}

TEST_CASE("lines with large primes and powers of small ones are transformed as exactly") {
  for (const std::size_t length : {243UL, 1009UL, 1024UL, 2000UL, 2401UL}) {
    CAPTURE(length);
    const LineTransform transform(length);
    std::vector<Complex> scratch(transform.scratch());
    const std::vector<Complex> x = inputs(length);
    std::vector<Complex> y = x;
    transform.run(y.data(), scratch.data(), TransformDirection::forward);
    CHECK(error_of(x, y) < 4.5e-16L);
  }
}

TEST_CASE("the elements of a transform are told in few boxes, and none beside them") {
  const ArrayTransform rows(TransformKind::complex_to_complex, {2, {3, 4, 1}}, 2);
  ArrayLayout layout;
  layout.embed = {3, 4, 1};
  layout.distance = 12;
  CHECK(rows.boxes(layout, 4).size() == 1);
  layout.embed = {3, 6, 1};
  layout.distance = 18;
  const std::vector<ElementBox> padded = rows.boxes(layout, 4);
  REQUIRE(padded.size() == 1);
  CHECK(padded[0].count == 4);
  CHECK(padded[0].rows == 6);
  CHECK(padded[0].pitch == 6);
}
