// SPDX-License-Identifier: Apache-2.0
// Passes of Stockham's form: each reads one array and writes the other in the order that the next one wants, so nothing
// is permuted at the end. Loehr's and Van Loan's notation: "Computational Frameworks for the Fast Fourier Transform".
#include "numerics/fft/line_transform.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

namespace warpfiber::numerics::fft {

// Bluestein's algorithm: a transform of any length as a convolution whose length is a power of two.
// jk = (j² + k² - (j - k)²) / 2 turns the sum into a convolution with a chirp.
// L. I. Bluestein, "A linear filtering approach to the computation of discrete Fourier transform", 1970.
class BluesteinTransform {
 public:
  explicit BluesteinTransform(std::size_t length);

  [[nodiscard]] std::size_t scratch() const { return 2 * convolution_.length(); }
  void forward(Complex* line, Complex* scratch) const;

 private:
  LineTransform convolution_;
  std::vector<Complex> chirp_;     // exp(-πi k² / length)
  std::vector<Complex> spectrum_;  // of the chirp's conjugate, scaled for the inverse transform
};

namespace {

/// exp(-πi k² / length) for k below `length`. k² is kept modulo 2 * length, so no digits of the angle are lost.
std::vector<Complex> make_chirp(std::size_t length) {
  std::vector<Complex> chirp(length);
  std::size_t square = 0;
  for (std::size_t k = 0; k < length; ++k) {
    chirp[k] = root_of_unity(square, 2 * length);
    square = (square + 2 * k + 1) % (2 * length);
  }
  return chirp;
}

}  // namespace

BluesteinTransform::BluesteinTransform(std::size_t length)
    : convolution_(std::bit_ceil(2 * length - 1)), chirp_(make_chirp(length)), spectrum_(convolution_.length()) {
  const std::size_t padded = convolution_.length();
  const double scale = 1.0 / static_cast<double>(padded);
  for (std::size_t k = 0; k < length; ++k) {
    spectrum_[k] = spectrum_[(padded - k) % padded] = std::conj(chirp_[k]) * scale;
  }
  std::vector<Complex> scratch(padded);
  convolution_.run(spectrum_.data(), scratch.data(), TransformDirection::forward);
}

void BluesteinTransform::forward(Complex* line, Complex* scratch) const {
  const std::size_t length = chirp_.size(), padded = convolution_.length();
  Complex* product = scratch;
  for (std::size_t k = 0; k < length; ++k) product[k] = line[k] * chirp_[k];
  std::fill(product + length, product + padded, Complex{});
  convolution_.run(product, scratch + padded, TransformDirection::forward);
  for (std::size_t k = 0; k < padded; ++k) product[k] *= spectrum_[k];
  convolution_.run(product, scratch + padded, TransformDirection::inverse);
  for (std::size_t k = 0; k < length; ++k) line[k] = product[k] * chirp_[k];
}

namespace {

/// Above it, the quadratic cost of a factor is more than that of Bluestein's algorithm.
constexpr std::size_t kLargestRadix = 31;

/// Products without the search for infinities that std::complex makes.
inline Complex times(const Complex& a, const Complex& b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

/// -i times `a`.
inline Complex turned(const Complex& a) {
  return {a.imag(), -a.real()};
}

/// The factors of `length`, fours first; empty if one is above the largest radix.
std::vector<std::size_t> factors(std::size_t length) {
  std::vector<std::size_t> found;
  for (std::size_t radix = 4; length > 1; ++radix) {
    if (radix > kLargestRadix) return {};
    while (length % radix == 0) {
      found.push_back(radix);
      length /= radix;
    }
    if (radix == 4) radix = 1;
    if (radix == 3) radix = 4;
  }
  return found;
}

/// One pass: `count` transforms of `radix * rest` numbers that lie `count` apart become `radix * count` of `rest`.
struct Pass {
  std::size_t radix;
  std::size_t rest;
  std::size_t count;
  const Complex* roots;  // of the whole line: exp(-2πi k / (radix * rest * count))
  const Complex* from;
  Complex* to;

  [[nodiscard]] const Complex* input(std::size_t group, std::size_t leg) const {
    return from + count * (group + rest * leg);
  }
  [[nodiscard]] Complex* output(std::size_t group, std::size_t leg) const { return to + count * (radix * group + leg); }
  [[nodiscard]] Complex twiddle(std::size_t group, std::size_t leg) const { return roots[count * group * leg]; }
};

void pass_of_2(const Pass& pass) {
  for (std::size_t group = 0; group < pass.rest; ++group) {
    const Complex w1 = pass.twiddle(group, 1);
    const Complex *x0 = pass.input(group, 0), *x1 = pass.input(group, 1);
    Complex *y0 = pass.output(group, 0), *y1 = pass.output(group, 1);
    for (std::size_t i = 0; i < pass.count; ++i) {
      y0[i] = x0[i] + x1[i];
      y1[i] = times(x0[i] - x1[i], w1);
    }
  }
}

void pass_of_3(const Pass& pass) {
  constexpr double kSine = std::numbers::sqrt3 / 2;
  for (std::size_t group = 0; group < pass.rest; ++group) {
    const Complex w1 = pass.twiddle(group, 1), w2 = pass.twiddle(group, 2);
    const Complex *x0 = pass.input(group, 0), *x1 = pass.input(group, 1), *x2 = pass.input(group, 2);
    Complex *y0 = pass.output(group, 0), *y1 = pass.output(group, 1), *y2 = pass.output(group, 2);
    for (std::size_t i = 0; i < pass.count; ++i) {
      const Complex sum = x1[i] + x2[i];
      const Complex middle = x0[i] - 0.5 * sum;
      const Complex side = turned(kSine * (x1[i] - x2[i]));
      y0[i] = x0[i] + sum;
      y1[i] = times(middle + side, w1);
      y2[i] = times(middle - side, w2);
    }
  }
}

void pass_of_4(const Pass& pass) {
  for (std::size_t group = 0; group < pass.rest; ++group) {
    const Complex w1 = pass.twiddle(group, 1), w2 = pass.twiddle(group, 2), w3 = pass.twiddle(group, 3);
    const Complex *x0 = pass.input(group, 0), *x1 = pass.input(group, 1);
    const Complex *x2 = pass.input(group, 2), *x3 = pass.input(group, 3);
    Complex *y0 = pass.output(group, 0), *y1 = pass.output(group, 1);
    Complex *y2 = pass.output(group, 2), *y3 = pass.output(group, 3);
    for (std::size_t i = 0; i < pass.count; ++i) {
      const Complex even = x0[i] + x2[i], odd = x1[i] + x3[i];
      const Complex even_rest = x0[i] - x2[i], odd_rest = turned(x1[i] - x3[i]);
      y0[i] = even + odd;
      y1[i] = times(even_rest + odd_rest, w1);
      y2[i] = times(even - odd, w2);
      y3[i] = times(even_rest - odd_rest, w3);
    }
  }
}

/// One number of each output of a pass of any radix.
void butterfly(const Pass& pass, std::size_t group, std::size_t i, std::size_t unit) {
  std::array<Complex, kLargestRadix> x;
  for (std::size_t leg = 0; leg < pass.radix; ++leg) x[leg] = pass.input(group, leg)[i];
  for (std::size_t out = 0; out < pass.radix; ++out) {
    Complex sum = x[0];
    for (std::size_t leg = 1; leg < pass.radix; ++leg) {
      sum += times(x[leg], pass.roots[leg * out % pass.radix * unit]);
    }
    pass.output(group, out)[i] = times(sum, pass.twiddle(group, out));
  }
}

void pass_of_any(const Pass& pass) {
  const std::size_t unit = pass.rest * pass.count;
  for (std::size_t group = 0; group < pass.rest; ++group) {
    for (std::size_t i = 0; i < pass.count; ++i) butterfly(pass, group, i, unit);
  }
}

void run_pass(const Pass& pass) {
  switch (pass.radix) {
    case 2: return pass_of_2(pass);
    case 3: return pass_of_3(pass);
    case 4: return pass_of_4(pass);
    default: return pass_of_any(pass);
  }
}

void conjugate(Complex* line, std::size_t length) {
  for (std::size_t i = 0; i < length; ++i) line[i] = std::conj(line[i]);
}

}  // namespace

Complex root_of_unity(std::size_t index, std::size_t length) {
  // The angle is brought into the first eighth of the circle in integers, where sine and cosine lose nothing.
  const std::size_t eighths = 8 * index;
  const std::size_t octant = eighths / length;
  const std::size_t within = octant % 2 == 0 ? eighths - octant * length : (octant + 1) * length - eighths;
  const double angle = std::numbers::pi / 4 * static_cast<double>(within) / static_cast<double>(length);
  const double c = std::cos(angle), s = std::sin(angle);
  switch (octant) {
    case 0: return {c, -s};
    case 1: return {s, -c};
    case 2: return {-s, -c};
    case 3: return {-c, -s};
    case 4: return {-c, s};
    case 5: return {-s, c};
    case 6: return {s, c};
    default: return {c, s};
  }
}

LineTransform::LineTransform(std::size_t length) : length_(length), radices_(factors(length)), bluestein_() {
  if (length > 1 && radices_.empty()) {
    bluestein_ = std::make_unique<BluesteinTransform>(length);
    return;
  }
  roots_.resize(length);
  for (std::size_t k = 0; k < length; ++k) roots_[k] = root_of_unity(k, length);
}

LineTransform::~LineTransform() = default;

std::size_t LineTransform::scratch() const {
  return bluestein_ == nullptr ? length_ : bluestein_->scratch();
}

void LineTransform::forward(Complex* line, Complex* scratch) const {
  if (bluestein_ != nullptr) return bluestein_->forward(line, scratch);
  Complex *from = line, *to = scratch;
  std::size_t rest = length_, count = 1;
  for (const std::size_t radix : radices_) {
    rest /= radix;
    run_pass({radix, rest, count, roots_.data(), from, to});
    count *= radix;
    std::swap(from, to);
  }
  if (from != line) std::copy(from, from + length_, line);
}

void LineTransform::run(Complex* line, Complex* scratch, TransformDirection direction) const {
  if (direction == TransformDirection::forward) return forward(line, scratch);
  conjugate(line, length_);
  forward(line, scratch);
  conjugate(line, length_);
}

}  // namespace warpfiber::numerics::fft
