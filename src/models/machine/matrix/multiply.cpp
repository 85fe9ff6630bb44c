// SPDX-License-Identifier: Apache-2.0
// Brings the lanes' registers together, and multiplies integers, bits and f64.
#include "machine/matrix/multiply.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>

#include "base/targets.hpp"
#include "machine/matrix/float_products.hpp"
#include "machine/matrix/layout.hpp"
#include "machine/matrix/numbers.hpp"
#include "machine/matrix/plan.hpp"
#include "machine/matrix/quads.hpp"
#include "machine/matrix/sparse.hpp"
#include "machine/matrix/workspace.hpp"

namespace warpfiber::machine {

constinit thread_local std::unique_ptr<ProductWorkspace> ProductWorkspace::of_thread_;

namespace {

using detail::Element;
using detail::MatrixProduct;
using detail::TermsBy;

void read_matrices(const ProductPlan& plan, const ProductSources& from, MatrixWords& words) {
  const MatrixProduct& product = plan.product;
  const unsigned in_word = detail::elements_in_word(product.a);
  const unsigned depth_of_a = product.a_columns() / in_word;
  words.depth = product.k / in_word;
  words.is_sparse = product.is_sparse;
  const unsigned a_words = product.a_words();
  const unsigned b_words = product.b_words();
  each_lane([&](unsigned g, unsigned t) {
    const std::uint32_t* const a = from.a[4 * g + t];
    const std::uint32_t* const b = from.b[4 * g + t];
    std::uint32_t* const to_a = words.a + g * depth_of_a + t;
    std::uint32_t* const to_b = words.b + t * kVector + g;
    for (unsigned word = 0; word < a_words; ++word) to_a[plan.a_at[word]] = a[word];
    for (unsigned word = 0; word < b_words; ++word) to_b[plan.b_at[word]] = b[word];
  });
  if (product.is_sparse) spread_sparse(product, from.metadata, from.selector, words);
}

/// visit(lane, pair, at) for each pair of elements of C or D that a lane has; `at` is where the first is by row.
template <class Visit>
__attribute__((always_inline)) inline void each_pair(const ProductPlan& plan, const Visit& visit) {
  const unsigned n = plan.product.n;
  const unsigned pairs = detail::elements_of_lane(plan.product.m, n) / 2;
  each_lane([&](unsigned g, unsigned t) __attribute__((always_inline)) {
    for (unsigned pair = 0; pair < pairs; ++pair) visit(4 * g + t, pair, plan.c_at[pair] + g * n + 2 * t);
  });
}

/// C by row.
void read_sums(const ProductPlan& plan, LaneWords from, std::uint32_t* c) {
  if (plan.product.c == Element::f16) {
    each_pair(plan, [&](unsigned lane, unsigned pair, unsigned at) {
      c[at] = from[lane][pair] & 0xffff;
      c[at + 1] = from[lane][pair] >> 16;
    });
  } else {
    each_pair(plan, [&](unsigned lane, unsigned pair, unsigned at) {
      std::memcpy(c + at, from[lane] + 2 * pair, 2 * sizeof *c);
    });
  }
}

void write_sums(const ProductPlan& plan, const std::uint32_t* d, std::uint32_t* const* to) {
  if (plan.product.d == Element::f16) {
    each_pair(plan, [&](unsigned lane, unsigned pair, unsigned at) { to[lane][pair] = d[at] | d[at + 1] << 16; });
  } else {
    each_pair(plan, [&](unsigned lane, unsigned pair, unsigned at) {
      std::memcpy(to[lane] + 2 * pair, d + at, 2 * sizeof *d);
    });
  }
}

/// Numbers of 8 or 4 bits, in all elements of a word.
WARPFIBER_VECTOR_FUNCTION void decode_integers(Element element, const Integers& words, unsigned count, std::int32_t* to,
                                               unsigned step) {
  const auto bits = static_cast<int>(detail::bits_of(element));
  const bool is_signed = element == Element::s8 || element == Element::s4;
  for (unsigned i = 0; i < count; ++i) {
    const Integers left = words << (32 - bits * static_cast<int>(i + 1));
    const Integers number = is_signed
                                ? left >> (32 - bits)
                                : reinterpret_cast<Integers>(reinterpret_cast<UnsignedVector>(left) >> (32 - bits));
    store_vector(to + i * step, number);
  }
}

WARPFIBER_VECTOR_FUNCTION void multiply_integers_as(const MatrixProduct& product, ProductWorkspace& in,
                                                    const std::uint32_t* c, std::uint32_t* d) {
  const MatrixWords& words = in.words;
  const unsigned in_word = detail::elements_in_word(product.a);
  const unsigned count = product.m * words.depth;
  for (unsigned i = 0; i < count; i += kVector)
    decode_integers(product.a, load_vector<Integers>(words.a + i), in_word, in.integers.a + i, count);
  for (unsigned i = 0; i < product.n * words.depth; i += kVector)
    decode_integers(product.b, load_vector<Integers>(words.b + i), in_word, in.integers.b + i * in_word, kVector);
  for (unsigned row = 0; row < product.m; ++row) {
    for (unsigned column = 0; column < product.n; column += kVector) {
      Integers sums{};
      for (unsigned element = 0; element < in_word; ++element) {
        const std::int32_t* const a = in.integers.a + element * count + row * words.depth;
        const std::int32_t* const b = in.integers.b + column * words.depth * in_word + element * kVector;
        for (unsigned word = 0; word < words.depth; ++word)
          sums += load_vector<Integers>(b + word * in_word * kVector) * a[word];
      }
      const unsigned output = row * product.n + column;
      const auto total = reinterpret_cast<UnsignedVector>(sums) + load_vector<UnsignedVector>(c + output);
      store_vector(d + output, total);
      if (!product.saturates) continue;
      for (unsigned i = 0; i < kVector; ++i) {
        using Limits = std::numeric_limits<std::int32_t>;
        const std::int64_t sum = std::int64_t{sums[i]} + static_cast<std::int32_t>(c[output + i]);
        d[output + i] = static_cast<std::uint32_t>(std::clamp<std::int64_t>(sum, Limits::min(), Limits::max()));
      }
    }
  }
}

WARPFIBER_TARGET_AVX2 void multiply_integers_wide(const MatrixProduct& product, ProductWorkspace& in,
                                                  const std::uint32_t* c, std::uint32_t* d) {
  multiply_integers_as(product, in, c, d);
}
void multiply_integers_narrow(const MatrixProduct& product, ProductWorkspace& in, const std::uint32_t* c,
                              std::uint32_t* d) {
  multiply_integers_as(product, in, c, d);
}

void multiply_bits(const MatrixProduct& product, const MatrixWords& words, const std::uint32_t* c, std::uint32_t* d) {
  for (unsigned i = 0; i < product.m * product.n; ++i) {
    const std::uint32_t* const a = words.a + i / product.n * words.depth;
    const std::uint32_t* const b = words.b + i % product.n;
    int sum = 0;
    for (unsigned k = 0; k < words.depth; ++k) {
      const std::uint32_t other = b[k * kVector];
      sum += std::popcount(product.terms == TermsBy::exclusive_or ? a[k] ^ other : a[k] & other);
    }
    d[i] = c[i] + static_cast<std::uint32_t>(sum);
  }
}

double double_at(LaneWords words, unsigned lane, unsigned word) {
  double value = 0;
  std::memcpy(&value, words[lane] + word, sizeof value);
  return value;
}

/// a * b + c with the NaN that a GPU returns: that of b, of c or of a, the first of these that is one.
/// Source: measured, docs/matrix-operations.md.
double fused(double a, double b, double c) {
  const double sum = std::fma(a, b, c);
  if (!std::isnan(sum)) return sum;
  constexpr std::uint64_t kQuiet = std::uint64_t{1} << 51;
  constexpr std::uint64_t kInvalid = 0xfff8000000000000;
  for (const double each : {b, c, a}) {
    if (std::isnan(each)) return std::bit_cast<double>(std::bit_cast<std::uint64_t>(each) | kQuiet);
  }
  return std::bit_cast<double>(kInvalid);
}

/// A chain of fused operations in the order of k.
void multiply_doubles(const MatrixProduct& product, LaneWords a, LaneWords b, LaneWords c, std::uint32_t* const* d) {
  double* const values_a = ProductWorkspace::of_thread().doubles[0];
  double* const values_b = ProductWorkspace::of_thread().doubles[1];
  double sums[kMostOutputs];
  each_lane_word(
      product.a_words(), 2, 1, [&](unsigned element) { return place_in_a(product, 0, element); },
      [&](unsigned word, const MatrixPlace& first) {
        double* const to = values_a + first.row * product.k + first.column;
        each_lane([&](unsigned g, unsigned t) { to[g * product.k + t] = double_at(a, 4 * g + t, word); });
      });
  each_lane_word(
      product.b_words(), 2, 1, [&](unsigned element) { return place_in_b(product, 0, element); },
      [&](unsigned word, const MatrixPlace& first) {
        double* const to = values_b + first.row * product.n + first.column;
        each_lane([&](unsigned g, unsigned t) { to[t * product.n + g] = double_at(b, 4 * g + t, word); });
      });
  each_pair_of_c(product, [&](unsigned lane, unsigned element, unsigned at) {
    for (unsigned j = 0; j < 2; ++j) sums[at + j] = double_at(c, lane, 2 * (element + j));
  });
  for (unsigned i = 0; i < product.m * product.n; ++i) {
    for (unsigned k = 0; k < product.k; ++k)
      sums[i] = fused(values_a[i / product.n * product.k + k], values_b[k * product.n + i % product.n], sums[i]);
  }
  each_pair_of_c(product, [&](unsigned lane, unsigned element, unsigned at) {
    std::memcpy(d[lane] + 2 * element, sums + at, 2 * sizeof(double));
  });
}

void multiply_elements(const ProductPlan& plan, ProductWorkspace& in, const std::uint32_t* c, std::uint32_t* d) {
  const bool wide = base::has_avx2();
  const MatrixProduct& product = plan.product;
  switch (product.a) {
    case Element::b1: return multiply_bits(product, in.words, c, d);
    case Element::s8:
    case Element::u8:
    case Element::s4:
    case Element::u4:
      return wide ? multiply_integers_wide(product, in, c, d) : multiply_integers_narrow(product, in, c, d);
    default: return multiply_floats(plan, in, c, d);
  }
}

}  // namespace

void multiply(const MatrixProduct& product, detail::ComputeCapability capability, const ProductSources& operands,
              std::uint32_t* const* d) {
  const LaneWords c = operands.c;
  if (product.a == Element::f64) return multiply_doubles(product, operands.a, operands.b, c, d);
  ProductWorkspace& in = ProductWorkspace::of_thread();
  const ProductPlan& plan = in.plan_for(product, capability);
  alignas(32) std::uint32_t from[kMostOutputs];
  alignas(32) std::uint32_t to[kMostOutputs];
  if (product.has_quads()) {
    const bool is_first = capability.major == 7 && capability.minor < 5;
    for (unsigned quad = 0; quad < kQuads; ++quad) {
      read_quad(product, operands, quad, in.words, from);
      if (is_first) {
        multiply_elements(plan, in, from, to);
      } else {
        multiply_quad(product, in.words, from, to);
      }
      write_quad(product, to, quad, d);
    }
    return;
  }
  read_matrices(plan, operands, in.words);
  read_sums(plan, c, from);
  multiply_elements(plan, in, from, to);
  write_sums(plan, to, d);
}

}  // namespace warpfiber::machine
