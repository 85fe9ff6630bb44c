// SPDX-License-Identifier: Apache-2.0
//
// GELU is the approximation by tanh, as in cuBLASLt.
#include "dense/matmul.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "dense/products.hpp"

namespace warpfiber::dense {
namespace {

constexpr double kRootOfTwoOverPi = 0.79788456080286535588;
constexpr double kCubic = 0.044715;

double gelu(double x) {
  return 0.5 * x * (1 + std::tanh(kRootOfTwoOverPi * (x + kCubic * x * x * x)));
}

double gelu_gradient(double x) {
  const double t = std::tanh(kRootOfTwoOverPi * (x + kCubic * x * x * x));
  return 0.5 * (1 + t) + 0.5 * x * (1 - t * t) * kRootOfTwoOverPi * (1 + 3 * kCubic * x * x);
}

/// The bit of an element that relu left as it was.
class ReluBits {
 public:
  explicit ReluBits(const AnyMatrix& bits) : at_(static_cast<std::uint8_t*>(bits.at)), leading_(bits.column_step) {}

  bool read(std::ptrdiff_t i, std::ptrdiff_t j) const { return (byte(i, j) >> (i % 8) & 1) != 0; }
  void write(std::ptrdiff_t i, std::ptrdiff_t j, bool bit) const {
    const auto mask = static_cast<std::uint8_t>(1U << (i % 8));
    byte(i, j) = static_cast<std::uint8_t>((byte(i, j) & ~mask) | (bit ? mask : 0));
  }

 private:
  std::uint8_t& byte(std::ptrdiff_t i, std::ptrdiff_t j) const { return at_[(j * leading_ + i) / 8]; }

  std::uint8_t* at_;
  std::ptrdiff_t leading_;
};

template <class T>
void add_bias(const AnyMatrix& bias, MatrixSize size, std::vector<T>& values) {
  const std::vector<T> column = elements<T>(bias, {size.rows, 1});
  for (std::ptrdiff_t j = 0; j < size.columns; ++j) {
    for (std::ptrdiff_t i = 0; i < size.rows; ++i) values[j * size.rows + i] += column[i];
  }
}

/// Calls `change(value, i, j)`.
template <class T, class Change>
void change_each(MatrixSize size, std::vector<T>& values, Change change) {
  for (std::ptrdiff_t j = 0; j < size.columns; ++j) {
    for (std::ptrdiff_t i = 0; i < size.rows; ++i) change(values[j * size.rows + i], i, j);
  }
}

template <class T>
void apply_relu(const AnyMatrix& inputs, MatrixSize size, std::vector<T>& values) {
  const ReluBits bits(inputs);
  change_each(size, values, [&](T& value, std::ptrdiff_t i, std::ptrdiff_t j) {
    if (inputs.at != nullptr) bits.write(i, j, value > T{});
    value = value < T{} ? T{} : value;
  });
}

template <class T>
void activate(const Epilogue& epilogue, MatrixSize size, std::vector<T>& values) {
  const AnyMatrix& inputs = epilogue.inputs;
  switch (epilogue.activation) {
    case Activation::none: return;
    case Activation::relu: return apply_relu(inputs, size, values);
    case Activation::gelu:
      if (inputs.at != nullptr) store(values, size, inputs);
      for (T& value : values) value = static_cast<T>(gelu(static_cast<double>(value)));
      return;
    case Activation::relu_gradient: {
      const ReluBits bits(inputs);
      return change_each(size, values,
                         [&](T& value, std::ptrdiff_t i, std::ptrdiff_t j) { value = bits.read(i, j) ? value : T{}; });
    }
    case Activation::gelu_gradient: {
      const std::vector<double> before = elements<double>(inputs, size);
      return change_each(size, values, [&](T& value, std::ptrdiff_t i, std::ptrdiff_t j) {
        value = static_cast<T>(static_cast<double>(value) * gelu_gradient(before[j * size.rows + i]));
      });
    }
  }
}

/// The sums of rows, or of columns.
template <class T>
std::vector<T> sums_of_rows(const std::vector<T>& values, MatrixSize size) {
  std::vector<T> sums(static_cast<std::size_t>(size.rows));
  for (std::ptrdiff_t j = 0; j < size.columns; ++j) {
    for (std::ptrdiff_t i = 0; i < size.rows; ++i) sums[i] += values[j * size.rows + i];
  }
  return sums;
}

template <class T>
void store_gradient(const Matmul& what, const std::vector<T>& values) {
  const AnyMatrix& bias = what.epilogue.bias;
  const MatrixSize a{what.size.rows, what.k};
  const MatrixSize b{what.size.columns, what.k};
  switch (what.epilogue.bias_use) {
    case BiasUse::gradient: return store(sums_of_rows(values, what.size), {what.size.rows, 1}, bias);
    case BiasUse::gradient_of_a: return store(sums_of_rows(elements<T>(what.a, a), a), {a.rows, 1}, bias);
    case BiasUse::gradient_of_b: return store(sums_of_rows(elements<T>(what.b.transposed(), b), b), {b.rows, 1}, bias);
    default: return;
  }
}

template <class T>
void scale_stored(const Matmul& what, std::vector<T>& values) {
  for (T& value : values) {
    if (what.largest != nullptr) *what.largest = std::max(*what.largest, static_cast<float>(std::abs(value)));
    value *= static_cast<T>(what.stored_scale);
  }
}

template <class Sum>
std::vector<Sum> sums_of_products(const Matmul& what) {
  std::vector<Sum> sums(static_cast<std::size_t>(what.size.rows * what.size.columns));
  if (what.alpha == 0.0) return sums;
  const std::vector<Sum> a = elements<Sum>(what.a, {what.size.rows, what.k});
  const std::vector<Sum> b = elements<Sum>(what.b, {what.k, what.size.columns});
  const MatrixView<const Sum> left{a.data(), 1, what.size.rows};
  const MatrixView<const Sum> right{b.data(), 1, what.k};
  const MatrixView<Sum> to{sums.data(), 1, what.size.rows};
  if (what.a.type == what.sum && what.b.type == what.sum) {
    multiply<Sum, Sum, Sum>(what.size, what.k, Sum(1), left, right, Sum{}, to);
  } else {
    multiply_in_order<Sum, Sum, Sum>(what.size, what.k, Sum(1), left, right, Sum{}, to);
  }
  return sums;
}

template <class Sum, class Scale>
void multiply_as(const Matmul& what) {
  const std::vector<Sum> sums = sums_of_products<Sum>(what);
  const auto alpha = converted<Scale>(what.alpha);
  const auto beta = converted<Scale>(what.beta);
  std::vector<Scale> values(sums.size());
  for (std::size_t i = 0; i < sums.size(); ++i) values[i] = product(alpha, converted<Scale>(sums[i]));
  if (beta != Scale{}) {
    const std::vector<Scale> added = elements<Scale>(what.c, what.size);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] += product(beta, added[i]);
  }
  if constexpr (!IsComplex<Scale>::value) {
    if (what.epilogue.bias_use == BiasUse::add) add_bias(what.epilogue.bias, what.size, values);
    activate(what.epilogue, what.size, values);
    store_gradient(what, values);
    if (what.stored_scale != 1 || what.largest != nullptr) scale_stored(what, values);
  }
  store(values, what.size, what.d);
}

}  // namespace

void multiply(const Matmul& what) {
  switch (what.sum) {
    case StoredType::float64: return multiply_as<double, double>(what);
    case StoredType::complex32: return multiply_as<std::complex<float>, std::complex<float>>(what);
    case StoredType::complex64: return multiply_as<std::complex<double>, std::complex<double>>(what);
    case StoredType::int32:
      if (what.scale == StoredType::int32) return multiply_as<std::int32_t, std::int32_t>(what);
      return multiply_as<std::int32_t, float>(what);
    default: return multiply_as<float, float>(what);
  }
}

}  // namespace warpfiber::dense
