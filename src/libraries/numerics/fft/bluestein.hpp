// SPDX-License-Identifier: Apache-2.0
// Bluestein's algorithm: a transform of any length as a convolution whose length is a power of two. LineTransform's.
#pragma once

#include <cstddef>
#include <vector>

#include "numerics/fft/line_transform.hpp"

namespace warpfiber::numerics::fft {

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

}  // namespace warpfiber::numerics::fft
