// SPDX-License-Identifier: Apache-2.0
// A line of small factors goes through one pass for each, and another one through Bluestein's algorithm.
#include "numerics/fft/line_transform.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include "numerics/fft/passes.hpp"

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
