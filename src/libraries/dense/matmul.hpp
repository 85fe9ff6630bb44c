// SPDX-License-Identifier: Apache-2.0
// Products of matrices of any types, and what is done to their elements before they are stored: biases, activations and
// gradients of these.
#pragma once

#include <complex>
#include <cstddef>

#include "dense/elements.hpp"

namespace warpfiber::dense {

enum class Activation { none, relu, gelu, relu_gradient, gelu_gradient };
enum class BiasUse { none, add, gradient, gradient_of_a, gradient_of_b };

/// What is done to alpha * A * B + beta * C.
struct Epilogue {
  Activation activation = Activation::none;
  BiasUse bias_use = BiasUse::none;
  AnyMatrix bias{};  // a column; of gradient_of_b one element for each column of the product
  /// What activations are given, which gradients of activations read. Of relu it is a bit for each element, whose
  /// column_step is in bits; null: not stored.
  AnyMatrix inputs{};
};

struct Matmul {
  MatrixSize size;
  std::ptrdiff_t k;
  StoredType sum;    // what products are added in
  StoredType scale;  // what the factors are and what the epilogue computes in
  std::complex<double> alpha;
  std::complex<double> beta;
  AnyMatrix a, b, c, d;  // as the product takes them
  Epilogue epilogue{};
  float stored_scale = 1;    // what D is multiplied by when it is stored
  float* largest = nullptr;  // becomes at least the size of each element before that, if not null
};

/// D = the epilogue of alpha * A * B + beta * C. Where a factor is zero the matrices that it scales are not read.
void multiply(const Matmul& what);

}  // namespace warpfiber::dense
