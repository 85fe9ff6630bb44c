// SPDX-License-Identifier: Apache-2.0
// The elements of matrices, in the order in which lanes have them.
#pragma once

#include <warpfiber/detail/matrix.hpp>

namespace warpfiber::machine {

using detail::MatrixPlace;

/// Words of an element, where it has one at least.
constexpr unsigned words_of_element(detail::Element element) {
  return detail::bits_of(element) == 64 ? 2 : 1;
}

/// visit(g, t) for lanes 4 g + t.
template <class Visit>
__attribute__((always_inline)) inline void each_lane(const Visit& visit) {
  for (unsigned g = 0; g < detail::kMatrixLanes / 4; ++g) {
#pragma GCC unroll 4
    for (unsigned t = 0; t < 4; ++t) visit(g, t);
  }
}

/// visit(lane, word, row, column) for each word of A, or for the first of each element that has two: it holds the
/// elements from `column` on.
template <class Visit>
void each_word_of_a(const detail::MatrixProduct& product, const Visit& visit) {
  const unsigned in_word = detail::elements_in_word(product.a);
  const unsigned step = words_of_element(product.a);
  for (unsigned i = 0; i < product.a_words() / step; ++i) {
    const MatrixPlace first = place_in_a(product, 0, i * in_word);
    each_lane([&](unsigned g, unsigned t) { visit(4 * g + t, i * step, first.row + g, first.column + t * in_word); });
  }
}

/// The same of B: the word holds elements of `column`, from `row` on.
template <class Visit>
void each_word_of_b(const detail::MatrixProduct& product, const Visit& visit) {
  const unsigned in_word = detail::elements_in_word(product.b);
  const unsigned step = words_of_element(product.b);
  for (unsigned i = 0; i < product.b_words() / step; ++i) {
    const MatrixPlace first = place_in_b(product, 0, i * in_word);
    each_lane([&](unsigned g, unsigned t) { visit(4 * g + t, i * step, first.row + t * in_word, first.column + g); });
  }
}

/// visit(lane, element, row, column) for each pair of elements of C or D, which are neighbours in their row.
template <class Visit>
void each_pair_of_c(const detail::MatrixProduct& product, const Visit& visit) {
  for (unsigned i = 0; i < detail::elements_of_lane(product.m, product.n); i += 2) {
    const MatrixPlace first = place_in_c(product, 0, i);
    each_lane([&](unsigned g, unsigned t) { visit(4 * g + t, i, first.row + g, first.column + 2 * t); });
  }
}

}  // namespace warpfiber::machine
