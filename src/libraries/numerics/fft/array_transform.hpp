// SPDX-License-Identifier: Apache-2.0
// Transforms of arrays of one to three dimensions, in batches, between any layouts. Numbers are computed in double
// precision whatever they are stored in. Each array is read completely before any of it is written, so it may be
// transformed in place.
#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <vector>

#include "numerics/fft/line_transform.hpp"

namespace warpfiber::numerics::fft {

/// What is transformed: complex numbers, or real ones of which half of the spectrum is kept.
enum class TransformKind { complex_to_complex, real_to_complex, complex_to_real };

/// Lengths of an array; `length[0]` varies slowest. Those beyond `rank` are not used.
struct Extents {
  int rank = 1;
  std::array<std::size_t, 3> length{1, 1, 1};
};

/// Where the elements of arrays lie, counted in elements. `embed[0]` is not used.
struct ArrayLayout {
  std::array<std::size_t, 3> embed{1, 1, 1};
  std::size_t stride = 1;
  std::size_t distance = 0;  // from one array of a batch to the next
};

/// The arrays of a batch in memory.
template <class Memory>
struct ArrayPlace {
  Memory* at;
  ArrayLayout layout;
};

/// Rows of neighbouring elements: where the first one is, how many each row has, and how far rows are apart.
struct ElementBox {
  std::size_t first;
  std::size_t count;
  std::size_t rows;
  std::size_t pitch;
};

class ArrayTransform {
 public:
  ArrayTransform(TransformKind kind, const Extents& extents, std::size_t batch);

  /// How many numbers a line of the input or output has in the dimension that varies fastest.
  [[nodiscard]] std::size_t input_width() const;
  [[nodiscard]] std::size_t output_width() const;

  /// The elements that a transform reads or writes, `width` in each line, in as few boxes as come one after the other.
  [[nodiscard]] std::vector<ElementBox> boxes(const ArrayLayout& layout, std::size_t width) const;

  /// Real arrays are `Real`, complex ones pairs of it. `direction` is for complex_to_complex.
  template <class Real>
  void run(const ArrayPlace<const void>& from, const ArrayPlace<void>& to, TransformDirection direction) const;

 private:
  [[nodiscard]] std::size_t half() const { return extents_.length.at(last()) / 2 + 1; }
  [[nodiscard]] std::size_t last() const { return static_cast<std::size_t>(extents_.rank) - 1; }
  [[nodiscard]] std::size_t rows() const;
  [[nodiscard]] std::size_t row_start(const ArrayLayout& layout, std::size_t row) const;
  [[nodiscard]] const LineTransform& line(std::size_t dimension) const;
  template <class Real>
  [[nodiscard]] std::vector<Complex> gather(const void* from, const ArrayLayout& layout, std::size_t start) const;
  template <class Real>
  void scatter(const std::vector<Complex>& array, void* to, const ArrayLayout& layout, std::size_t start) const;
  void keep_halves(std::vector<Complex>& array) const;
  void complete_lines(std::vector<Complex>& array) const;
  void transform(std::vector<Complex>& array, TransformDirection direction) const;
  void transform_dimension(std::vector<Complex>& array, std::size_t dimension, std::size_t width,
                           TransformDirection direction) const;
  void transform_rows(std::vector<Complex>& array, TransformDirection direction) const;

  TransformKind kind_;
  Extents extents_;
  std::size_t batch_;
  std::map<std::size_t, LineTransform> lines_{};  // by length
};

}  // namespace warpfiber::numerics::fft
