// SPDX-License-Identifier: Apache-2.0
// Numbers in memory whose type is known at run time. They are computed with in double precision, real or complex, and
// rounded once when they are stored.
#pragma once

#include <warpfiber/bfloat16.hpp>
#include <warpfiber/half.hpp>

#include <array>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "numerics/numbers.hpp"

namespace warpfiber::numerics {

enum class NumberKind : unsigned char { half, bfloat16, float32, float64, complex32, complex64 };

constexpr std::size_t bytes_of(NumberKind kind) {
  constexpr std::array<std::size_t, 6> kBytes = {2, 2, 4, 8, 8, 16};
  return kBytes[static_cast<std::size_t>(kind)];
}

constexpr bool is_complex(NumberKind kind) {
  return kind >= NumberKind::complex32;
}

/// Holds a value of every kind.
using WideNumber = std::complex<double>;

/// `use` is called with a number of the type that values of this kind are computed with: a double or a WideNumber.
template <class Use>
auto with_number(NumberKind kind, Use&& use) {
  return is_complex(kind) ? use(std::complex<double>{}) : use(0.0);
}

/// The real types have no imaginary part: one that is stored there is lost.
template <class Number>
Number value_at(NumberKind kind, const void* values, std::int64_t i) {
  switch (kind) {
    case NumberKind::half: return static_cast<float>(static_cast<const __half*>(values)[i]);
    case NumberKind::bfloat16: return static_cast<float>(static_cast<const __nv_bfloat16*>(values)[i]);
    case NumberKind::float32: return static_cast<const float*>(values)[i];
    case NumberKind::float64: return static_cast<const double*>(values)[i];
    case NumberKind::complex32:
      if constexpr (IsComplex<Number>::value) return Number(static_cast<const std::complex<float>*>(values)[i]);
      break;
    case NumberKind::complex64:
      if constexpr (IsComplex<Number>::value) return static_cast<const std::complex<double>*>(values)[i];
      break;
  }
  return {};
}

template <class Number>
void put_value(NumberKind kind, void* values, std::int64_t i, Number number) {
  switch (kind) {
    case NumberKind::half: static_cast<__half*>(values)[i] = __half(static_cast<float>(real_part(number))); return;
    case NumberKind::bfloat16:
      static_cast<__nv_bfloat16*>(values)[i] = __nv_bfloat16(static_cast<float>(real_part(number)));
      return;
    case NumberKind::float32: static_cast<float*>(values)[i] = static_cast<float>(real_part(number)); return;
    case NumberKind::float64: static_cast<double*>(values)[i] = real_part(number); return;
    case NumberKind::complex32:
      static_cast<std::complex<float>*>(values)[i] = std::complex<float>(std::complex<double>(number));
      return;
    case NumberKind::complex64: static_cast<std::complex<double>*>(values)[i] = number; return;
  }
}

/// A factor that the program gives: its value, or where device memory has it when the work is done.
class Scalar {
 public:
  Scalar() = default;
  Scalar(NumberKind kind, const void* at, bool on_device) : kind_(kind), on_device_(on_device ? at : nullptr) {
    if (!on_device) std::memcpy(bytes_.data(), at, bytes_of(kind));
  }

  template <class Number>
  Number value() const {
    return value_at<Number>(kind_, on_device_ != nullptr ? on_device_ : bytes_.data(), 0);
  }
  /// Whether it may be anything but zero.
  bool counts() const { return on_device_ != nullptr || value<std::complex<double>>() != std::complex<double>{}; }

 private:
  NumberKind kind_ = NumberKind::float64;
  const void* on_device_ = nullptr;
  alignas(16) std::array<std::byte, 16> bytes_{};
};

}  // namespace warpfiber::numerics
