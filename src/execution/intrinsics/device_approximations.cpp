// SPDX-License-Identifier: Apache-2.0
//
// The unit interpolates: the upper bits of a fraction choose a parabola, which is evaluated in fixed point, with a
// square whose lower columns are left out, and cut off to 24 bits (Oberman and Siu, "A high-performance area-efficient
// multifunction interpolator", ARITH-17, 2005). That this is how an H200 does it is a finding from its results: all
// 2^23 fractions of each function are equal (tests/unit/execution/intrinsics/device_approximations_test.cpp).
#include "intrinsics/device_approximations.hpp"

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "intrinsics/approximation_tables.hpp"

namespace warpfiber::intrinsics {
namespace {

constexpr unsigned kFractionBits = 23;
constexpr std::uint32_t kFraction = (1u << kFractionBits) - 1;
constexpr float kNan = std::bit_cast<float>(0x7fffffffu);
constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kLeastNormal = std::numeric_limits<float>::min();

/// Of a normal number 2^exponent * (1 + fraction * 2^-23).
struct FloatParts {
  int exponent;
  std::uint32_t fraction;
};

FloatParts parts_of(float x) {
  const auto bits = std::bit_cast<std::uint32_t>(x);
  return {static_cast<int>(bits >> kFractionBits & 0xff) - 127, bits & kFraction};
}

bool is_zero(float x) {
  return std::fabs(x) < kLeastNormal;
}

/// x^2 / 2^column as the sum of products of bits, without those below the column.
template <unsigned kBits, unsigned kColumn>
std::uint32_t upper_square(std::uint32_t x) {
  std::uint64_t sum = 0;
  for (unsigned i = (kColumn + 1) / 2; i < kBits; ++i) {
    if ((x >> i & 1) == 0) continue;
    const unsigned least = kColumn - 1 - i;  // products of lower bits are below the column
    const std::uint64_t below = i > least ? (x & ((1u << i) - 1)) >> least << least : 0;
    sum += (std::uint64_t{1} << 2 * i) + (below << (i + 1));
  }
  return static_cast<std::uint32_t>(sum >> kColumn);
}

template <std::size_t kSegments>
std::int64_t interpolated(const std::array<Interpolation, kSegments>& table, std::uint32_t fraction) {
  constexpr unsigned kBits = kFractionBits - std::countr_zero(kSegments);
  constexpr unsigned kColumn = kSegments == 128 ? 17 : 19;
  const Interpolation& segment = table[fraction >> kBits];
  const std::uint32_t x = fraction & ((1u << kBits) - 1);
  return segment.base + std::int64_t{segment.slope} * x + std::int64_t{segment.curve} * upper_square<kBits, kColumn>(x);
}

/// magnitude * 2^exponent, towards zero.
float cut_off(std::uint64_t magnitude, int exponent) {
  const int more = static_cast<int>(std::bit_width(magnitude)) - 24;
  if (more > 0) magnitude = magnitude >> more << more;
  const float x = std::ldexp(static_cast<float>(magnitude), exponent);
  return is_zero(x) ? 0 : x;
}

}  // namespace

float device_log2(float x) noexcept {
  if (std::isnan(x)) return kNan;
  if (is_zero(x)) return -kInfinity;
  if (x < 0) return kNan;
  if (std::isinf(x)) return x;
  if (x == 1) return 0;
  constexpr int kUnit = 36;
  const FloatParts parts = parts_of(x);
  const std::int64_t sum =
      (interpolated(kLogarithms, parts.fraction) >> 2) + parts.exponent * (std::int64_t{1} << kUnit);
  // A negative number's bits are inverted, without a carry.
  if (sum < 0) return -cut_off(static_cast<std::uint64_t>(~sum), -kUnit);
  return cut_off(static_cast<std::uint64_t>(sum), -kUnit);
}

float device_exp2(float x) noexcept {
  if (std::isnan(x)) return kNan;
  if (x >= 128) return kInfinity;
  if (x < -126) return 0;
  auto fixed = static_cast<std::int32_t>(std::fabs(x) * 0x1p23F);
  // Inverted without a carry as above, but for integers.
  if (x < 0) fixed = (fixed & kFraction) == 0 ? -fixed : ~fixed;
  const std::int64_t power = interpolated(kPowers, static_cast<std::uint32_t>(fixed) & kFraction);
  return cut_off(static_cast<std::uint64_t>(power), (fixed >> kFractionBits) - 38);
}

float device_reciprocal(float x) noexcept {
  if (std::isnan(x)) return kNan;
  if (is_zero(x)) return std::copysign(kInfinity, x);
  if (std::isinf(x)) return std::copysign(0.0F, x);
  const FloatParts parts = parts_of(x);
  const std::int64_t unit = std::int64_t{1} << 39;
  const std::int64_t reciprocal = parts.fraction == 0 ? unit : interpolated(kReciprocals, parts.fraction);
  return std::copysign(cut_off(static_cast<std::uint64_t>(reciprocal), -39 - parts.exponent), x);
}

float device_reciprocal_root(float x) noexcept {
  if (std::isnan(x)) return kNan;
  if (is_zero(x)) return std::copysign(kInfinity, x);
  if (x < 0) return kNan;
  if (std::isinf(x)) return 0;
  const FloatParts parts = parts_of(x);
  const bool odd = parts.exponent % 2 != 0;
  const int half = (parts.exponent - (odd ? 1 : 0)) / 2;
  if (!odd && parts.fraction == 0) return std::ldexp(1.0F, -half);
  const std::int64_t root = interpolated(odd ? kReciprocalRootsOfDoubles : kReciprocalRoots, parts.fraction);
  return cut_off(static_cast<std::uint64_t>(root), -40 - half);
}

}  // namespace warpfiber::intrinsics
