// SPDX-License-Identifier: Apache-2.0
// Sums and products of sizes that a program has given: the largest number stands for all that are larger, which no
// memory has.
#pragma once

#include <cstddef>
#include <limits>

namespace warpfiber::base {

inline constexpr std::size_t kLargestSize = std::numeric_limits<std::size_t>::max();

constexpr std::size_t sum_of(std::size_t a, std::size_t b) {
  std::size_t sum = 0;
  return __builtin_add_overflow(a, b, &sum) ? kLargestSize : sum;
}

constexpr std::size_t product_of(std::size_t a, std::size_t b) {
  std::size_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? kLargestSize : product;
}

}  // namespace warpfiber::base
