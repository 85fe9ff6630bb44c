// SPDX-License-Identifier: Apache-2.0
// The discrete Fourier transform of a line of complex numbers, of any length: passes of mixed radices, or Bluestein's
// algorithm for lengths with large prime factors. A transform is made once for a length and may be used by many
// threads.
#pragma once

#include <complex>
#include <cstddef>
#include <memory>
#include <vector>

namespace warpfiber::numerics::fft {

using Complex = std::complex<double>;

/// How the exponent of the transform is signed; CUFFT_FORWARD and CUFFT_INVERSE.
enum class TransformDirection { forward = -1, inverse = 1 };

class BluesteinTransform;

/// y[j] = sum over k of x[k] * exp(±2πi jk / length), not scaled.
class LineTransform {
 public:
  /// `length` is at least 1.
  explicit LineTransform(std::size_t length);
  ~LineTransform();

  [[nodiscard]] std::size_t length() const { return length_; }

  /// How many numbers `run` needs for its own use.
  [[nodiscard]] std::size_t scratch() const;

  /// Transforms `line` in place.
  void run(Complex* line, Complex* scratch, TransformDirection direction) const;

 private:
  void forward(Complex* line, Complex* scratch) const;

  std::size_t length_;
  std::vector<std::size_t> radices_{};
  std::vector<Complex> roots_{};                   // exp(-2πi k / length)
  std::unique_ptr<BluesteinTransform> bluestein_;  // null: by radices
};

/// exp(-2πi index / length), each part within about 1 ulp. `index` is below `length`.
Complex root_of_unity(std::size_t index, std::size_t length);

}  // namespace warpfiber::numerics::fft
