// SPDX-License-Identifier: Apache-2.0
// jk = (j² + k² - (j - k)²) / 2 turns the sum into a convolution with a chirp.
// L. I. Bluestein, "A linear filtering approach to the computation of discrete Fourier transform", 1970.
#include "numerics/fft/bluestein.hpp"

#include <algorithm>
#include <bit>

namespace warpfiber::numerics::fft {
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

}  // namespace warpfiber::numerics::fft
