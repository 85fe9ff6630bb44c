// SPDX-License-Identifier: Apache-2.0
// A product of cuBLASLt as the program describes it, and whether there is such a one.
#pragma once

#include "cuda_libraries/cublas/operation.hpp"
#include "cuda_libraries/cublaslt/descriptors.hpp"
#include "cuda_libraries/cublaslt/types.hpp"
#include "dense/matmul.hpp"

namespace warpfiber::cuda_libraries {

/// A product as the program describes it.
struct MatmulCall {
  const MatmulFields* desc;
  const LayoutFields* a;
  const LayoutFields* b;
  const LayoutFields* c;
  const LayoutFields* d;

  bool complete() const { return desc != nullptr && a != nullptr && b != nullptr && c != nullptr && d != nullptr; }
  MatmulTypes types() const { return {desc->compute, desc->scale, a->type, b->type, c->type, d->type}; }
};

struct KnownEpilogue {
  std::uint32_t number;
  dense::Activation activation;
  dense::BiasUse bias;
};
/// Null: there is no such epilogue.
const KnownEpilogue* epilogue_of(std::uint32_t number);

inline cublasOperation_t operation_of(std::int32_t number) {
  return static_cast<cublasOperation_t>(number);
}

/// The size of what a product takes of a matrix.
inline dense::MatrixSize taken_size(const LayoutFields& layout, std::int32_t operation) {
  return stored_size(static_cast<std::ptrdiff_t>(layout.rows), static_cast<std::ptrdiff_t>(layout.columns),
                     operation_of(operation));
}

/// Whether there is such a product, whatever memory it is of.
CublasResult check(const MatmulCall& call);

}  // namespace warpfiber::cuda_libraries
