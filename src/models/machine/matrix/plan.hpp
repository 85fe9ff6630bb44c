// SPDX-License-Identifier: Apache-2.0
// What is the same for all products of a kind: its rule, and where words and elements go.
#pragma once

#include <warpfiber/detail/matrix.hpp>

#include <cstdint>

#include "machine/matrix/sum_rules.hpp"

namespace warpfiber::machine {

inline constexpr unsigned kMostDepthWords = 16;     // of a row of A, where elements are floating-point numbers
inline constexpr unsigned kMostElementsInWord = 4;  // likewise
inline constexpr unsigned kMostPairs = 4;           // of C that a lane has

/// Which term an element of a word is. Sums take as many words after another as hold their terms, or where they
/// alternate, every second pair of elements of 8 bits, and of a sparse A every second word.
struct TermOrder {
  unsigned depth = 0;  // words of a row
  unsigned run = 0;    // words of a row whose elements are terms that follow each other: 8, 4, 2 or 1
  std::uint8_t of[kMostDepthWords][kMostElementsInWord] = {};

  unsigned operator()(unsigned word, unsigned element) const { return of[word][element]; }
};

/// Words and pairs of elements by their number in a lane. `at` says where lane 0 has them in the words of A and B, or
/// in the elements of C by row.
struct ProductPlan {
  detail::MatrixProduct product{};
  detail::ComputeCapability capability{};
  SumRule rule;
  TermOrder order;
  std::uint16_t a_at[detail::kMostMatrixWords] = {};
  std::uint16_t b_at[detail::kMostMatrixWords] = {};
  std::uint16_t c_at[kMostPairs] = {};

  bool is_of(const detail::MatrixProduct& other, detail::ComputeCapability of) const {
    return product == other && capability.major == of.major && capability.minor == of.minor;
  }
};

/// Of any product but those of f64.
ProductPlan make_plan(const detail::MatrixProduct& product, detail::ComputeCapability capability);

}  // namespace warpfiber::machine
