// SPDX-License-Identifier: Apache-2.0
// The elements of matrices, in the order in which lanes have them.
#pragma once

#include <warpfiber/detail/matrix.hpp>

namespace warpfiber::machine {

using detail::MatrixPlace;

/// visit(g, t) for lanes 4 g + t.
template <class Visit>
__attribute__((always_inline)) inline void each_lane(const Visit& visit) {
  for (unsigned g = 0; g < detail::kMatrixLanes / 4; ++g) {
#pragma GCC unroll 4
    for (unsigned t = 0; t < 4; ++t) visit(g, t);
  }
}

/// visit(word, first) for each word that a lane has of A or B, or for the first of each element that has two: `first`
/// is the place of its first element in lane 0. Lane 4 g + t has those of g rows of A or columns of B further, and t
/// words.
template <class Place, class Visit>
__attribute__((always_inline)) inline void each_lane_word(unsigned words, unsigned step, unsigned in_word,
                                                          const Place& place, const Visit& visit) {
  for (unsigned i = 0; i < words / step; ++i) visit(i * step, place(i * in_word));
}

/// visit(lane, element, at) for each pair of elements of C or D, which are neighbours in their row; `at` is where the
/// first is in the elements by row.
template <class Visit>
__attribute__((always_inline)) inline void each_pair_of_c(const detail::MatrixProduct& product, const Visit& visit) {
  const unsigned n = product.n;
  const unsigned elements = detail::elements_of_lane(product.m, n);
  for (unsigned i = 0; i < elements; i += 2) {
    const MatrixPlace first = place_in_c(product, 0, i);
    const unsigned at = first.row * n + first.column;
    each_lane([&](unsigned g, unsigned t) __attribute__((always_inline)) { visit(4 * g + t, i, at + g * n + 2 * t); });
  }
}

}  // namespace warpfiber::machine
