// SPDX-License-Identifier: Apache-2.0
// Which types products of cuBLASLt have (cuBLAS Library, the tables of cublasLtMatmul()).
#pragma once

#include <warpfiber/cuda/api/library_types.h>
#include <warpfiber/cuda/cublas/types.h>

#include <cstdint>
#include <optional>

#include "dense/elements.hpp"

namespace warpfiber::cuda_libraries {

/// Numbers of CUDA's types.
struct MatmulTypes {
  std::int32_t compute, scale, a, b, c, d;
};

/// What computes products of types that there are.
struct MatmulArithmetic {
  dense::StoredType sum, scale;
};

/// None: there is no such product.
std::optional<MatmulArithmetic> arithmetic_of(const MatmulTypes& types);

/// Whether the type of factors goes with what products are added in.
bool fits_compute_type(const MatmulTypes& types);

/// None: elements of this type are not modelled.
std::optional<dense::StoredType> element_type(std::int32_t type);

bool is_eight_bit_float(std::int32_t type);

/// What biases are where the program has not said it.
std::int32_t bias_type_of(const MatmulTypes& types);

}  // namespace warpfiber::cuda_libraries
