// SPDX-License-Identifier: Apache-2.0
// Sizes, and coordinates and extents in up to three dimensions, x fastest, and the one formula that turns coordinates
// into linear indices and back. Works on dim3, uint3 and anything else with x, y and z. Invariants: linear indices have
// 64 bits; an extent whose product does not fit is refused where a launch is checked
// (`checked_volume`), so `volume` is only asked about extents that fit.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/contract.hpp"

namespace warpfiber::base {

/// Coordinates or an extent; an extent has no zero.
struct Triple {
  std::uint32_t x = 0;
  std::uint32_t y = 0;
  std::uint32_t z = 0;

  friend constexpr bool operator==(const Triple&, const Triple&) = default;
};

template <class T>
concept TripleLike = requires(const T& t) {
  { t.x } -> std::convertible_to<std::uint32_t>;
  { t.y } -> std::convertible_to<std::uint32_t>;
  { t.z } -> std::convertible_to<std::uint32_t>;
};

constexpr Triple to_triple(const TripleLike auto& t) {
  return {t.x, t.y, t.z};
}

/// a * b, or nothing where that has more than 64 bits.
constexpr std::optional<std::uint64_t> checked_product(std::uint64_t a, std::uint64_t b) {
  std::uint64_t product = 0;
  if (__builtin_mul_overflow(a, b, &product)) return std::nullopt;
  return product;
}

/// How many points an extent has, or nothing where that has more than 64 bits.
constexpr std::optional<std::uint64_t> checked_volume(const TripleLike auto& extent) {
  return checked_product(std::uint64_t{extent.x} * extent.y, extent.z);
}

/// How many points an extent has; the extent is known to fit.
constexpr std::uint64_t volume(const TripleLike auto& extent) {
  const std::optional<std::uint64_t> points = checked_volume(extent);
  WARPFIBER_CONTRACT(points.has_value(), "an extent that was accepted has a 64-bit volume");
  return *points;
}

/// The position of `at` within `extent`, x fastest.
constexpr std::uint64_t linear_index(const TripleLike auto& at, const TripleLike auto& extent) {
  return (std::uint64_t{at.z} * extent.y + at.y) * extent.x + at.x;
}

/// The coordinates whose linear index in `extent` is `index`.
constexpr Triple unlinear(std::uint64_t index, const TripleLike auto& extent) {
  const std::uint64_t row = index / extent.x;
  return {static_cast<std::uint32_t>(index % extent.x), static_cast<std::uint32_t>(row % extent.y),
          static_cast<std::uint32_t>(row / extent.y)};
}

/// Of sums and products of sizes that a program has given: stands for all that are larger, which no memory has.
inline constexpr std::size_t kLargestSize = SIZE_MAX;

constexpr std::size_t sum_of(std::size_t a, std::size_t b) {
  std::size_t sum = 0;
  return __builtin_add_overflow(a, b, &sum) ? kLargestSize : sum;
}

constexpr std::size_t product_of(std::size_t a, std::size_t b) {
  std::size_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? kLargestSize : product;
}

}  // namespace warpfiber::base
