// SPDX-License-Identifier: Apache-2.0
// What products of matrices compute in: the words of A and B, and their elements as numbers.
#pragma once

#include <cstdint>
#include <memory>

#include "machine/matrix/plan.hpp"

namespace warpfiber::machine {

inline constexpr unsigned kMostOutputs = 256;
inline constexpr unsigned kMostWords = 256;      // of A, and of B
inline constexpr unsigned kMostElements = 2048;  // of one of them

/// Numbers that vectors of 32 bytes have of 32 bits.
inline constexpr unsigned kVector = 8;

/// A and B in words of 32 bits, as they are in the registers. A has rows of words; of B, kVector columns of all rows of
/// words lie one after another.
struct MatrixWords {
  alignas(32) std::uint32_t a[kMostWords];
  alignas(32) std::uint32_t b[kMostWords];
  unsigned depth;  // of a row, in words
  bool is_sparse;
  bool is_there[kMostElements];  // by row: the elements of a sparse A; in `a` the others are 0
};

/// A and B by element, in the order of the sums: the terms of one sum lie one after another. Of B, kVector columns of a
/// term lie one after another. `Number` is float or int.
template <class Number>
struct ProductOperands {
  alignas(32) Number a[kMostElements];
  alignas(32) Number b[kMostElements];
};

inline constexpr unsigned kMostColumns = 32;
inline constexpr unsigned kMostDepth = 64;  // of floating-point numbers

/// The exponents that count for the elements, in the same order, but that those of B have all columns in a row.
struct ProductExponents {
  alignas(32) std::int16_t a[kMostElements];
  alignas(32) std::int16_t b[kMostDepth][kMostColumns];
};

/// What a product needs; too large for the stacks of fibers. One product at a time uses it, and does not switch fibers.
struct ProductWorkspace {
  MatrixWords words;
  ProductOperands<float> floats;
  ProductOperands<std::int32_t> integers;
  ProductExponents exponents;
  alignas(32) float c[kMostOutputs];
  alignas(32) std::int16_t exponent_c[kMostOutputs];
  double doubles[2][kMostElements];
  ProductPlan plans[4];

  /// Kernels have few kinds of products.
  const ProductPlan& plan_for(const detail::MatrixProduct& product, detail::ComputeCapability capability) {
    ProductPlan& plan = plans[(product.n / 8 + product.k / 8 + static_cast<unsigned>(product.a)) % 4];
    if (!plan.is_of(product, capability)) plan = make_plan(product, capability);
    return plan;
  }

  static ProductWorkspace& of_thread() {
    if (of_thread_ == nullptr) of_thread_ = std::make_unique<ProductWorkspace>();
    return *of_thread_;
  }

 private:
  static constinit thread_local std::unique_ptr<ProductWorkspace> of_thread_;
};

}  // namespace warpfiber::machine
