// SPDX-License-Identifier: Apache-2.0
// Transforms against the sum that defines them, computed in long double.
#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <numbers>
#include <utility>
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

/// exp(-2πi k / length) for each k.
std::vector<Long> exact_roots(std::size_t length) {
  std::vector<Long> roots(length);
  for (std::size_t k = 0; k < length; ++k) {
    const long double angle =
        -2 * std::numbers::pi_v<long double> * static_cast<long double>(k) / static_cast<long double>(length);
    roots[k] = {std::cos(angle), std::sin(angle)};
  }
  return roots;
}

/// One number of the transform of `x` by its definition. Products without the search for infinities of std::complex.
Long defined(const std::vector<Complex>& x, const std::vector<Long>& roots, std::size_t j) {
  long double real = 0, imaginary = 0;
  for (std::size_t k = 0, at = 0; k < x.size(); ++k) {
    real += x[k].real() * roots[at].real() - x[k].imag() * roots[at].imag();
    imaginary += x[k].real() * roots[at].imag() + x[k].imag() * roots[at].real();
    at = (at + j) % x.size();
  }
  return {real, imaginary};
}

/// The error of `y`, which may be the half of the transform of `x`, in parts of the norm: by Parseval's theorem the
/// mean square of the transform is the sum of the squares of `x`. Of long lines some hundred numbers are looked at.
long double error_of(const std::vector<Complex>& x, const std::vector<Complex>& y) {
  const std::vector<Long> roots = exact_roots(x.size());
  long double squares = 0, error = 0, norm = 0;
  for (const Complex& value : x) squares += std::norm(Long(value));
  for (std::size_t j = 0; j < y.size(); j += x.size() < 4000 ? 1 : 101) {
    error += std::norm(Long(y[j]) - defined(x, roots, j));
    norm += squares;
  }
  return std::sqrt(error / norm);
}

/// `count` numbers of `Real`, then their complex form.
template <class Real>
std::pair<std::vector<Real>, std::vector<Complex>> real_inputs(std::size_t count) {
  std::vector<Real> x(count);
  for (std::size_t i = 0; i < count; ++i) x[i] = static_cast<Real>(input(static_cast<std::uint32_t>(i)));
  return {x, std::vector<Complex>(x.begin(), x.end())};
}

/// One line of `length` in `From` becomes one of `To`, real or complex as `kind` has it.
template <class Real, class To, class From>
std::vector<To> transformed(TransformKind kind, std::size_t length, const std::vector<From>& from,
                            TransformDirection direction = TransformDirection::forward) {
  const ArrayTransform transform(kind, {1, {length, 1, 1}}, 1);
  std::vector<To> to(transform.output_width());
  transform.run<Real>({from.data(), {}}, {to.data(), {}}, direction);
  return to;
}

/// A length of each radix alone, of each twice, and of many of them.
const std::vector<std::size_t> kLengthsOfRadices{2,  3,   4,   5,   7,   11,  13,  17,  19,   23,   29,   31,   25,
                                                 49, 121, 169, 289, 361, 529, 841, 961, 1000, 1001, 2310, 2431, 1155};

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
  for (const std::size_t length : {243UL, 1000UL, 1009UL, 1024UL, 2000UL, 2187UL, 2401UL, 2431UL, 3125UL, 30'030UL}) {
    CAPTURE(length);
    const LineTransform transform(length);
    std::vector<Complex> scratch(transform.scratch());
    const std::vector<Complex> x = inputs(length);
    std::vector<Complex> y = x;
    transform.run(y.data(), scratch.data(), TransformDirection::forward);
    CHECK(error_of(x, y) < 4.5e-16L);
  }
}

TEMPLATE_TEST_CASE("lines of every radix are transformed there and back, real or complex", "", float, double) {
  using Pair = std::complex<TestType>;
  constexpr auto kUnit = std::numeric_limits<TestType>::epsilon();
  for (const std::size_t length : kLengthsOfRadices) {
    CAPTURE(length);
    const auto scale = static_cast<TestType>(length);

    const std::vector<Complex> x = inputs(length);
    const std::vector<Pair> pairs(x.begin(), x.end());
    const auto there = transformed<TestType, Pair>(TransformKind::complex_to_complex, length, pairs);
    CHECK(error_of({pairs.begin(), pairs.end()}, {there.begin(), there.end()}) < 2 * kUnit);
    const auto back =
        transformed<TestType, Pair>(TransformKind::complex_to_complex, length, there, TransformDirection::inverse);
    for (std::size_t i = 0; i < length; ++i) CHECK(std::abs(back[i] / scale - pairs[i]) < 5 * kUnit);

    const auto [reals, complexes] = real_inputs<TestType>(length);
    const auto half = transformed<TestType, Pair>(TransformKind::real_to_complex, length, reals);
    CHECK(half.size() == length / 2 + 1);
    CHECK(error_of(complexes, {half.begin(), half.end()}) < 2 * kUnit);
    const auto again = transformed<TestType, TestType>(TransformKind::complex_to_real, length, half);
    for (std::size_t i = 0; i < length; ++i) CHECK(std::abs(again[i] / scale - reals[i]) < 5 * kUnit);
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
