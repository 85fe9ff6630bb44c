// SPDX-License-Identifier: Apache-2.0
// The tables of types of products, by what their sums are computed in.
#include "cuda_libraries/cublaslt/types.hpp"

#include <algorithm>
#include <iterator>

namespace warpfiber::cuda_libraries {
namespace {

using dense::StoredType;

struct KnownType {
  std::int32_t number;
  StoredType type;
};
constexpr KnownType kTypes[] = {
    {CUDA_R_16F, StoredType::half},     {CUDA_R_16BF, StoredType::bfloat16}, {CUDA_R_32F, StoredType::float32},
    {CUDA_R_64F, StoredType::float64},  {CUDA_C_32F, StoredType::complex32}, {CUDA_C_64F, StoredType::complex64},
    {CUDA_R_8I, StoredType::int8},      {CUDA_R_32I, StoredType::int32},     {CUDA_R_8F_E4M3, StoredType::e4m3},
    {CUDA_R_8F_E5M2, StoredType::e5m2},
};

/// What products are added in, by the program's words.
enum class Compute { halves, floats, fast_floats, doubles, integers, unknown };

Compute compute_of(std::int32_t type) {
  switch (type) {
    case CUBLAS_COMPUTE_16F:
    case CUBLAS_COMPUTE_16F_PEDANTIC: return Compute::halves;
    case CUBLAS_COMPUTE_32F:
    case CUBLAS_COMPUTE_32F_PEDANTIC: return Compute::floats;
    case CUBLAS_COMPUTE_32F_FAST_16F:
    case CUBLAS_COMPUTE_32F_FAST_16BF:
    case CUBLAS_COMPUTE_32F_FAST_TF32:
    case CUBLAS_COMPUTE_32F_EMULATED_16BFX9: return Compute::fast_floats;
    case CUBLAS_COMPUTE_64F:
    case CUBLAS_COMPUTE_64F_PEDANTIC: return Compute::doubles;
    case CUBLAS_COMPUTE_32I:
    case CUBLAS_COMPUTE_32I_PEDANTIC: return Compute::integers;
    default: return Compute::unknown;
  }
}

/// Products whose C and D are of one type.
struct KnownProduct {
  Compute compute;
  std::int32_t scale, in, out;
};
constexpr KnownProduct kProducts[] = {
    {Compute::halves, CUDA_R_16F, CUDA_R_16F, CUDA_R_16F},
    {Compute::floats, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F},
    {Compute::floats, CUDA_R_32F, CUDA_R_16F, CUDA_R_16F},
    {Compute::floats, CUDA_R_32F, CUDA_R_16F, CUDA_R_32F},
    {Compute::floats, CUDA_R_32F, CUDA_R_16BF, CUDA_R_16BF},
    {Compute::floats, CUDA_R_32F, CUDA_R_16BF, CUDA_R_32F},
    {Compute::floats, CUDA_R_32F, CUDA_R_8I, CUDA_R_32F},
    {Compute::floats, CUDA_C_32F, CUDA_C_32F, CUDA_C_32F},
    {Compute::fast_floats, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F},
    {Compute::fast_floats, CUDA_C_32F, CUDA_C_32F, CUDA_C_32F},
    {Compute::doubles, CUDA_R_64F, CUDA_R_64F, CUDA_R_64F},
    {Compute::doubles, CUDA_C_64F, CUDA_C_64F, CUDA_C_64F},
    {Compute::integers, CUDA_R_32I, CUDA_R_8I, CUDA_R_32I},
    {Compute::integers, CUDA_R_32F, CUDA_R_8I, CUDA_R_8I},
};

/// Of numbers in eight bits, of which at most one side is e5m2.
bool is_eight_bit_product(const MatmulTypes& types) {
  if (!is_eight_bit_float(types.a) || !is_eight_bit_float(types.b)) return false;
  if (types.a == CUDA_R_8F_E5M2 && types.b == CUDA_R_8F_E5M2) return false;
  if (types.scale != CUDA_R_32F || compute_of(types.compute) != Compute::floats) return false;
  if (types.c == CUDA_R_32F) return types.d == CUDA_R_32F;
  if (types.c != CUDA_R_16F && types.c != CUDA_R_16BF) return false;
  const bool wide = types.a == CUDA_R_8F_E5M2 || types.b == CUDA_R_8F_E5M2;
  return types.d == types.c || types.d == CUDA_R_8F_E4M3 || (wide && types.d == CUDA_R_8F_E5M2);
}

}  // namespace

std::optional<StoredType> element_type(std::int32_t type) {
  const auto* const known =
      std::find_if(std::begin(kTypes), std::end(kTypes), [type](const KnownType& one) { return one.number == type; });
  if (known == std::end(kTypes)) return std::nullopt;
  return known->type;
}

bool fits_compute_type(const MatmulTypes& types) {
  const Compute compute = compute_of(types.compute);
  return std::any_of(std::begin(kProducts), std::end(kProducts),
                     [&](const KnownProduct& known) { return known.compute == compute && known.scale == types.scale; });
}

bool is_eight_bit_float(std::int32_t type) {
  return type == CUDA_R_8F_E4M3 || type == CUDA_R_8F_E5M2;
}

std::optional<MatmulArithmetic> arithmetic_of(const MatmulTypes& types) {
  if (is_eight_bit_product(types)) return MatmulArithmetic{StoredType::float32, StoredType::float32};
  if (types.a != types.b || types.c != types.d) return std::nullopt;
  const Compute compute = compute_of(types.compute);
  for (const KnownProduct& known : kProducts) {
    if (known.compute != compute || known.scale != types.scale || known.in != types.a || known.out != types.d) continue;
    const StoredType scale = *element_type(types.scale);
    if (compute == Compute::integers) return MatmulArithmetic{StoredType::int32, scale};
    // Halves are added as floats.
    const StoredType sum = compute == Compute::halves ? StoredType::float32 : scale;
    return MatmulArithmetic{sum, scale};
  }
  return std::nullopt;
}

std::int32_t bias_type_of(const MatmulTypes& types) {
  if (types.d == CUDA_R_8I) return CUDA_R_32F;
  if (!is_eight_bit_float(types.a)) return types.d;
  return types.c == CUDA_R_16F ? CUDA_R_16F : CUDA_R_16BF;
}

}  // namespace warpfiber::cuda_libraries
