// SPDX-License-Identifier: Apache-2.0
// Elements of matrices whose type is known when the program runs, and conversions between all types. What is stored as
// an integer or in eight bits is rounded to the nearest and stays within the type's range.
#pragma once

#include <warpfiber/bfloat16.hpp>
#include <warpfiber/fp8.hpp>
#include <warpfiber/half.hpp>

#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include "dense/matrix.hpp"

namespace warpfiber::dense {

enum class StoredType { half, bfloat16, float32, float64, complex32, complex64, int8, int32, e4m3, e5m2 };

/// Calls `use` with a std::type_identity of the type.
template <class Use>
auto with_type(StoredType type, Use use) {
  switch (type) {
    case StoredType::half: return use(std::type_identity<__half>{});
    case StoredType::bfloat16: return use(std::type_identity<__nv_bfloat16>{});
    case StoredType::float64: return use(std::type_identity<double>{});
    case StoredType::complex32: return use(std::type_identity<std::complex<float>>{});
    case StoredType::complex64: return use(std::type_identity<std::complex<double>>{});
    case StoredType::int8: return use(std::type_identity<std::int8_t>{});
    case StoredType::int32: return use(std::type_identity<std::int32_t>{});
    case StoredType::e4m3: return use(std::type_identity<__nv_fp8_e4m3>{});
    case StoredType::e5m2: return use(std::type_identity<__nv_fp8_e5m2>{});
    default: return use(std::type_identity<float>{});
  }
}

inline std::size_t size_of(StoredType type) {
  return with_type(type, [](auto of) { return sizeof(typename decltype(of)::type); });
}

/// Of a complex number that becomes a real one the real part.
template <class To, class From>
To converted(From value) {
  if constexpr (std::is_same_v<To, From>) {
    return value;
  } else if constexpr (IsComplex<To>::value && IsComplex<From>::value) {
    return To(value);
  } else if constexpr (IsComplex<To>::value) {
    return To(converted<typename To::value_type>(value));
  } else if constexpr (IsComplex<From>::value) {
    return converted<To>(value.real());
  } else if constexpr (!std::is_arithmetic_v<From>) {
    return converted<To>(static_cast<float>(value));
  } else if constexpr (std::is_integral_v<To>) {
    using Limits = std::numeric_limits<To>;
    const double number = std::nearbyint(static_cast<double>(value));
    if (!(number > static_cast<double>(Limits::min()))) return Limits::min();
    return number < static_cast<double>(Limits::max()) ? static_cast<To>(number) : Limits::max();
  } else if constexpr (std::is_arithmetic_v<To>) {
    return static_cast<To>(value);
  } else {
    return To(static_cast<float>(value));
  }
}

/// A view of a matrix in memory.
struct AnyMatrix {
  void* at = nullptr;  // not written through where the matrix is read only
  StoredType type = StoredType::float32;
  std::ptrdiff_t row_step = 1;
  std::ptrdiff_t column_step = 1;
  bool conjugated = false;

  AnyMatrix transposed() const { return {at, type, column_step, row_step, conjugated}; }
  template <class T>
  MatrixView<T> as() const {
    return {static_cast<T*>(at), row_step, column_step, conjugated};
  }
};

/// The elements by columns.
template <class To>
std::vector<To> elements(const AnyMatrix& matrix, MatrixSize size) {
  std::vector<To> all(static_cast<std::size_t>(size.rows * size.columns));
  with_type(matrix.type, [&](auto of) {
    const auto from = matrix.as<const typename decltype(of)::type>();
    for (std::ptrdiff_t j = 0; j < size.columns; ++j) {
      for (std::ptrdiff_t i = 0; i < size.rows; ++i) all[j * size.rows + i] = converted<To>(from(i, j));
    }
  });
  return all;
}

template <class From>
void store(const std::vector<From>& all, MatrixSize size, const AnyMatrix& matrix) {
  with_type(matrix.type, [&](auto of) {
    using To = typename decltype(of)::type;
    const auto to = matrix.as<To>();
    for (std::ptrdiff_t j = 0; j < size.columns; ++j) {
      for (std::ptrdiff_t i = 0; i < size.rows; ++i) to.place(i, j) = converted<To>(all[j * size.rows + i]);
    }
  });
}

}  // namespace warpfiber::dense
