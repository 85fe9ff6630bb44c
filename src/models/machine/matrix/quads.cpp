// SPDX-License-Identifier: Apache-2.0
// Where the elements of the four products are, and their sums on GPUs that have no such operation.
#include "machine/matrix/quads.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "machine/matrix/numbers.hpp"

namespace warpfiber::machine {
namespace {

using detail::Element;
using detail::LaneLayout;
using detail::MatrixPlace;
using detail::MatrixProduct;

constexpr unsigned kSide = 8;   // rows of A, columns of B
constexpr unsigned kDepth = 4;  // columns of A

/// visit(lane, t, upper) for the lanes of a product: `t` is which of four, and `upper` whether of the second four.
template <class Visit>
void each_lane_of_quad(unsigned quad, const Visit& visit) {
  for (unsigned i = 0; i < 8; ++i) visit(quad * 4 + i % 4 + i / 4 * 16, i % 4, i / 4);
}

unsigned half_at(const std::uint32_t* words, unsigned i) {
  return element_at(words, i, 16);
}

bool has_rows_of_a(LaneLayout layout) {
  return layout == LaneLayout::quads_row_row || layout == LaneLayout::quads_row_col;
}
bool has_columns_of_b(LaneLayout layout) {
  return layout == LaneLayout::quads_row_col || layout == LaneLayout::quads_col_col;
}

float single_of(Element element, std::uint32_t bits) {
  return static_cast<float>(number_of(element, bits));
}

std::uint32_t bits_of(Element element, float value) {
  const double exact = static_cast<double>(value);
  if (!std::isfinite(value)) return special_output(element, exact);
  if (element != Element::f16) return std::bit_cast<std::uint32_t>(value);
  const std::uint32_t bits = nearest_halves(Doubles{exact, exact, exact, exact})[0];
  return bits | (std::signbit(value) ? 0x8000U : 0);
}

/// Of element `i` of C or D.
MatrixPlace place_in_sum(Element element, unsigned t, unsigned upper, unsigned i) {
  if (element == Element::f16) return {t + 4 * upper, i};
  return {(t & 1) + (i & 2) + 4 * upper, (i & 4) + (t & 2) + (i & 1)};
}

}  // namespace

void read_quad(const MatrixProduct& product, const ProductSources& from, unsigned quad, MatrixWords& words,
               std::uint32_t* c) {
  words.depth = kDepth / 2;
  words.is_sparse = false;
  std::fill_n(words.a, kSide * words.depth, 0U);
  std::fill_n(words.b, kSide * words.depth, 0U);
  each_lane_of_quad(quad, [&](unsigned lane, unsigned t, unsigned upper) {
    for (unsigned i = 0; i < kDepth; ++i) {
      // What the lane has is a row or column of its own, or one number of each.
      const unsigned along = t + 4 * upper, across = i + 4 * upper;
      const bool has_row = has_rows_of_a(product.layout);
      const unsigned row = has_row ? along : across, k_of_a = has_row ? i : t;
      words.a[row * words.depth + k_of_a / 2] |= half_at(from.a[lane], i) << k_of_a % 2 * 16;
      const bool has_column = has_columns_of_b(product.layout);
      const unsigned column = has_column ? along : across, k_of_b = has_column ? i : t;
      words.b[k_of_b / 2 * kVector + column] |= half_at(from.b[lane], i) << k_of_b % 2 * 16;
    }
    for (unsigned i = 0; i < kSide; ++i) {
      const MatrixPlace at = place_in_sum(product.c, t, upper, i);
      c[at.row * kSide + at.column] = product.c == Element::f16 ? half_at(from.c[lane], i) : from.c[lane][i];
    }
  });
}

void multiply_quad(const MatrixProduct& product, const MatrixWords& words, const std::uint32_t* c, std::uint32_t* d) {
  for (unsigned i = 0; i < kSide * kSide; ++i) {
    float a[kDepth], b[kDepth];
    for (unsigned k = 0; k < kDepth; ++k) {
      a[k] = single_of(Element::f16, half_at(words.a + i / kSide * words.depth, k));
      b[k] = single_of(Element::f16, half_at(words.b + k / 2 * kVector + i % kSide, k % 2));
    }
    const float of_c = single_of(product.c, c[i]);
    if (product.d == Element::f16) {
      const float first = std::fma(a[1], b[1], a[0] * b[0]);
      const float second = std::fma(a[3], b[3], a[2] * b[2]);
      d[i] = bits_of(product.d, first + of_c + second);
    } else {
      float sum = 0;
      for (unsigned k = 0; k < kDepth; ++k) sum = std::fma(a[k], b[k], sum);
      d[i] = bits_of(product.d, sum + of_c);
    }
  }
}

void write_quad(const MatrixProduct& product, const std::uint32_t* from, unsigned quad, std::uint32_t* const* d) {
  each_lane_of_quad(quad, [&](unsigned lane, unsigned t, unsigned upper) {
    const auto element = [&](unsigned i) {
      const MatrixPlace at = place_in_sum(product.d, t, upper, i);
      return from[at.row * kSide + at.column];
    };
    for (unsigned i = 0; product.d == Element::f16 && i < kSide; i += 2)
      d[lane][i / 2] = element(i) | element(i + 1) << 16;
    for (unsigned i = 0; product.d != Element::f16 && i < kSide; ++i) d[lane][i] = element(i);
  });
}

}  // namespace warpfiber::machine
