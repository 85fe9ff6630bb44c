// SPDX-License-Identifier: Apache-2.0
// An array is gathered into one of double precision, transformed one dimension after another, and scattered. Of real
// arrays half of the lines of the last dimension is kept: the other half is its conjugate.
#include "numerics/fft/array_transform.hpp"

#include <algorithm>
#include <utility>

namespace warpfiber::numerics::fft {
namespace {

template <class Real>
Complex load_complex(const void* from, std::size_t at) {
  const Real* parts = static_cast<const Real*>(from) + 2 * at;
  return {parts[0], parts[1]};
}

template <class Real>
void store_complex(void* to, std::size_t at, const Complex& value) {
  Real* parts = static_cast<Real*>(to) + 2 * at;
  parts[0] = static_cast<Real>(value.real());
  parts[1] = static_cast<Real>(value.imag());
}

/// The rest of a line whose first half is given. The imaginary part of its first number has no meaning, nor has that of
/// the middle one of an even length.
void complete_line(Complex* line, std::size_t length) {
  line[0].imag(0);
  if (length % 2 == 0) line[length / 2].imag(0);
  for (std::size_t i = length / 2 + 1; i < length; ++i) line[i] = std::conj(line[length - i]);
}

/// Boxes of runs that come in order: one box of what has no gaps, or of runs of one length at equal distances.
class BoxList {
 public:
  void add(std::size_t first, std::size_t count) {
    if (boxes_.empty()) return begin(first, count);
    ElementBox& box = boxes_.back();
    if (box.rows == 1 && box.first + box.count == first) {
      box.count += count;
    } else if (box.count == count && first > box.first &&
               (box.rows == 1 || box.first + box.rows * box.pitch == first)) {
      box.pitch = (first - box.first) / box.rows;
      ++box.rows;
    } else {
      begin(first, count);
    }
  }

  std::vector<ElementBox> boxes() && { return std::move(boxes_); }

 private:
  void begin(std::size_t first, std::size_t count) { boxes_.push_back({first, count, 1, count}); }

  std::vector<ElementBox> boxes_{};
};

}  // namespace

ArrayTransform::ArrayTransform(TransformKind kind, const Extents& extents, std::size_t batch)
    : kind_(kind), extents_(extents), batch_(batch) {
  for (std::size_t d = 0; d <= last(); ++d) lines_.try_emplace(extents_.length.at(d), extents_.length.at(d));
}

const LineTransform& ArrayTransform::line(std::size_t dimension) const {
  return lines_.at(extents_.length.at(dimension));
}

std::size_t ArrayTransform::input_width() const {
  return kind_ == TransformKind::complex_to_real ? half() : extents_.length.at(last());
}

std::size_t ArrayTransform::output_width() const {
  return kind_ == TransformKind::real_to_complex ? half() : extents_.length.at(last());
}

std::size_t ArrayTransform::rows() const {
  std::size_t count = 1;
  for (std::size_t d = 0; d < last(); ++d) count *= extents_.length.at(d);
  return count;
}

std::size_t ArrayTransform::row_start(const ArrayLayout& layout, std::size_t row) const {
  std::size_t start = 0, scale = 1;
  for (std::size_t d = last(); d > 0; --d) {
    scale *= layout.embed.at(d);
    start += row % extents_.length.at(d - 1) * scale;
    row /= extents_.length.at(d - 1);
  }
  return start * layout.stride;
}

std::vector<ElementBox> ArrayTransform::boxes(const ArrayLayout& layout, std::size_t width) const {
  BoxList list;
  for (std::size_t b = 0; b < batch_; ++b) {
    for (std::size_t row = 0; row < rows(); ++row) {
      const std::size_t start = b * layout.distance + row_start(layout, row);
      if (layout.stride == 1) {
        list.add(start, width);
      } else {
        for (std::size_t i = 0; i < width; ++i) list.add(start + i * layout.stride, 1);
      }
    }
  }
  return std::move(list).boxes();
}

void ArrayTransform::transform_dimension(std::vector<Complex>& array, std::size_t dimension, std::size_t width,
                                         TransformDirection direction) const {
  const LineTransform& transform = line(dimension);
  const std::size_t length = transform.length();
  std::size_t inner = width;
  for (std::size_t d = dimension + 1; d < last(); ++d) inner *= extents_.length.at(d);
  std::vector<Complex> column(length), scratch(transform.scratch());
  for (std::size_t outer = 0; outer < array.size(); outer += length * inner) {
    for (std::size_t i = 0; i < inner; ++i) {
      Complex* first = array.data() + outer + i;
      for (std::size_t k = 0; k < length; ++k) column[k] = first[k * inner];
      transform.run(column.data(), scratch.data(), direction);
      for (std::size_t k = 0; k < length; ++k) first[k * inner] = column[k];
    }
  }
}

void ArrayTransform::transform_rows(std::vector<Complex>& array, TransformDirection direction) const {
  const LineTransform& transform = line(last());
  std::vector<Complex> scratch(transform.scratch());
  for (std::size_t start = 0; start < array.size(); start += transform.length()) {
    transform.run(array.data() + start, scratch.data(), direction);
  }
}

template <class Real>
std::vector<Complex> ArrayTransform::gather(const void* from, const ArrayLayout& layout, std::size_t start) const {
  const std::size_t width = input_width();
  std::vector<Complex> array(rows() * width);
  for (std::size_t row = 0; row < rows(); ++row) {
    const std::size_t first = start + row_start(layout, row);
    for (std::size_t i = 0; i < width; ++i) {
      const std::size_t at = first + i * layout.stride;
      array[row * width + i] = kind_ == TransformKind::real_to_complex ? Complex{static_cast<const Real*>(from)[at]}
                                                                       : load_complex<Real>(from, at);
    }
  }
  return array;
}

template <class Real>
void ArrayTransform::scatter(const std::vector<Complex>& array, void* to, const ArrayLayout& layout,
                             std::size_t start) const {
  const std::size_t width = output_width();
  for (std::size_t row = 0; row < rows(); ++row) {
    const std::size_t first = start + row_start(layout, row);
    for (std::size_t i = 0; i < width; ++i) {
      const Complex& value = array[row * width + i];
      const std::size_t at = first + i * layout.stride;
      if (kind_ == TransformKind::complex_to_real) {
        static_cast<Real*>(to)[at] = static_cast<Real>(value.real());
      } else {
        store_complex<Real>(to, at, value);
      }
    }
  }
}

void ArrayTransform::keep_halves(std::vector<Complex>& array) const {
  const std::size_t length = extents_.length.at(last());
  for (std::size_t row = 0; row < rows(); ++row) {
    std::copy_n(array.begin() + static_cast<std::ptrdiff_t>(row * length), half(),
                array.begin() + static_cast<std::ptrdiff_t>(row * half()));
  }
  array.resize(rows() * half());
}

void ArrayTransform::complete_lines(std::vector<Complex>& array) const {
  const std::size_t length = extents_.length.at(last());
  std::vector<Complex> whole(rows() * length);
  for (std::size_t row = 0; row < rows(); ++row) {
    Complex* line = whole.data() + row * length;
    std::copy_n(array.data() + row * half(), half(), line);
    complete_line(line, length);
  }
  array = std::move(whole);
}

void ArrayTransform::transform(std::vector<Complex>& array, TransformDirection direction) const {
  if (kind_ == TransformKind::complex_to_real) {
    for (std::size_t d = 0; d < last(); ++d) transform_dimension(array, d, half(), direction);
    complete_lines(array);
    return transform_rows(array, direction);
  }
  transform_rows(array, direction);
  if (kind_ == TransformKind::real_to_complex) keep_halves(array);
  for (std::size_t d = 0; d < last(); ++d) transform_dimension(array, d, output_width(), direction);
}

template <class Real>
void ArrayTransform::run(const ArrayPlace<const void>& from, const ArrayPlace<void>& to,
                         TransformDirection direction) const {
  if (kind_ == TransformKind::real_to_complex) direction = TransformDirection::forward;
  if (kind_ == TransformKind::complex_to_real) direction = TransformDirection::inverse;
  for (std::size_t b = 0; b < batch_; ++b) {
    std::vector<Complex> array = gather<Real>(from.at, from.layout, b * from.layout.distance);
    transform(array, direction);
    scatter<Real>(array, to.at, to.layout, b * to.layout.distance);
  }
}

template void ArrayTransform::run<float>(const ArrayPlace<const void>&, const ArrayPlace<void>&,
                                         TransformDirection) const;
template void ArrayTransform::run<double>(const ArrayPlace<const void>&, const ArrayPlace<void>&,
                                          TransformDirection) const;

}  // namespace warpfiber::numerics::fft
