// SPDX-License-Identifier: Apache-2.0
// Products of matrices of one type or of several, single, in batches by distance, and in batches by pointers, which are
// read when the operation's turn comes.
#include <warpfiber/bfloat16.hpp>
#include <warpfiber/half.hpp>

#include <cstdint>
#include <vector>

#include "cuda_libraries/cublas/vector_types.hpp"
#include "dense/products.hpp"

namespace warpfiber::cuda_libraries {
namespace {

/// One side of products: a matrix, matrices `distance` elements apart, or an array of `pointers` to them.
struct ProductPart {
  const char* name;
  const void* at;
  std::int64_t leading;
  long long distance = 0;
  cublasOperation_t operation = CUBLAS_OP_N;
};

struct Products {
  std::int64_t m, n, k;
  ProductPart a, b, c;
  std::int64_t count = 1;
  bool by_pointers = false;
};

template <class T>
const T* matrix_of(const Products& what, const ProductPart& side, std::int64_t number) {
  if (!what.by_pointers) return static_cast<const T*>(side.at) + number * side.distance;
  return static_cast<const T* const*>(side.at)[number];
}

void check(CublasOperation& operation, const Products& what) {
  operation.choose("operation of A", what.a.operation, CUBLAS_OP_C);
  operation.choose("operation of B", what.b.operation, CUBLAS_OP_C);
  operation.at_least("m", what.m, 0);
  operation.at_least("n", what.n, 0);
  operation.at_least("k", what.k, 0);
  operation.at_least("the number of products", what.count, 0);
  operation.at_least("lda", what.a.leading, std::max<std::int64_t>(1, transposes(what.a.operation) ? what.k : what.m));
  operation.at_least("ldb", what.b.leading, std::max<std::int64_t>(1, transposes(what.b.operation) ? what.n : what.k));
  operation.at_least("ldc", what.c.leading, std::max<std::int64_t>(1, what.m));
}

/// Adds the memory of product `number`. `reads_c`: whether C is added to; `multiplies`: whether A and B are read.
template <class In, class Out>
void add_matrices(CublasOperation& operation, const Products& what, std::int64_t number, bool multiplies,
                  bool reads_c) {
  if (multiplies) {
    operation.matrix(what.a.name, false, matrix_of<In>(what, what.a, number), sizeof(In),
                     stored_size(what.m, what.k, what.a.operation), what.a.leading);
    operation.matrix(what.b.name, false, matrix_of<In>(what, what.b, number), sizeof(In),
                     stored_size(what.k, what.n, what.b.operation), what.b.leading);
  }
  for (const bool writes : {false, true}) {
    if (!writes && !reads_c) continue;
    operation.matrix(what.c.name, writes, matrix_of<Out>(what, what.c, number), sizeof(Out), {what.m, what.n},
                     what.c.leading);
  }
}

template <class Sum, class In, class Out>
void multiply(const Products& what, std::int64_t number, Sum alpha, Sum beta) {
  auto* const c = const_cast<Out*>(matrix_of<Out>(what, what.c, number));
  dense::multiply<Sum, In, Out>({what.m, what.n}, what.k, alpha,
                                operand(matrix_of<In>(what, what.a, number), what.a.leading, what.a.operation),
                                operand(matrix_of<In>(what, what.b, number), what.b.leading, what.b.operation), beta,
                                dense::MatrixView<Out>{c, 1, what.c.leading});
}

template <class Scale>
auto sum_of(Scale scale) {
  if constexpr (std::is_same_v<Scale, __half>) {
    return static_cast<float>(scale);
  } else {
    return scale;
  }
}

template <class In, class Out, class Scale>
CublasResult submit_products(CublasOperation& operation, const Products& what, const Scale* alpha, const Scale* beta) {
  check(operation, what);
  if (operation.failed() || what.m == 0 || what.n == 0 || what.count == 0) return operation.result();
  const Factor<Scale> by = operation.factor("alpha", alpha);
  const Factor<Scale> keeps = operation.factor("beta", beta);
  const bool multiplies = by.counts() && what.k != 0;
  if (multiplies) {
    operation.not_null(what.a.name, what.a.at);
    operation.not_null(what.b.name, what.b.at);
  }
  operation.not_null(what.c.name, what.c.at);
  if (operation.failed()) return operation.result();
  device_memory::LibraryCall call;
  if (what.by_pointers) {
    const std::size_t bytes = sizeof(void*) * static_cast<std::size_t>(what.count);
    for (const auto& [name, at] : {std::pair{"Aarray", what.a.at}, {"Barray", what.b.at}, {"Carray", what.c.at}}) {
      operation.add(name, false, device_memory::line(at, bytes), {bytes});
    }
    call.further = [=] {
      CublasOperation further;
      for (std::int64_t i = 0; i < what.count; ++i) add_matrices<In, Out>(further, what, i, multiplies, keeps.counts());
      return further.take_accesses();
    };
  } else {
    for (std::int64_t i = 0; i < what.count && !operation.failed(); ++i) {
      add_matrices<In, Out>(operation, what, i, multiplies, keeps.counts());
    }
  }
  const auto work = [=] {
    const auto alpha_now = sum_of(by.value());
    for (std::int64_t i = 0; i < what.count; ++i) {
      multiply<std::remove_cv_t<decltype(alpha_now)>, In, Out>(what, i, alpha_now, sum_of(keeps.value()));
    }
  };
  return operation.submit(work, call);
}

/// What a product of several types is made of.
struct ProductTypes {
  cudaDataType a, b, c;
  cublasComputeType_t sum;
  cublasGemmAlgo_t algorithm = CUBLAS_GEMM_DEFAULT;
};

void check_algorithm(CublasOperation& operation, cublasGemmAlgo_t algorithm) {
  const bool exists = (algorithm >= CUBLAS_GEMM_DEFAULT && algorithm <= CUBLAS_GEMM_ALGO23) ||
                      (algorithm >= CUBLAS_GEMM_DEFAULT_TENSOR_OP && algorithm <= CUBLAS_GEMM_ALGO15_TENSOR_OP) ||
                      algorithm == CUBLAS_GEMM_AUTOTUNE;
  if (exists) return;
  operation.fail(CUBLAS_STATUS_INVALID_VALUE,
                 {ReasonKind::blas_choice_unknown, "algorithm", static_cast<int>(algorithm)});
}

bool sums_floats(cublasComputeType_t type) {
  return type >= CUBLAS_COMPUTE_32F && type <= CUBLAS_COMPUTE_32F_EMULATED_16BFX9 && type != CUBLAS_COMPUTE_64F &&
         type != CUBLAS_COMPUTE_64F_PEDANTIC && type != CUBLAS_COMPUTE_32I && type != CUBLAS_COMPUTE_32I_PEDANTIC;
}

template <class In, class Out, class Scale>
CublasResult submit_typed(CublasOperation& operation, const Products& what, const void* alpha, const void* beta) {
  return submit_products<In, Out>(operation, what, static_cast<const Scale*>(alpha), static_cast<const Scale*>(beta));
}

using SubmitTyped = CublasResult (*)(CublasOperation&, const Products&, const void*, const void*);

SubmitTyped float_products(cudaDataType in, cudaDataType out) {
  using Complex = std::complex<float>;
  if (in == CUDA_R_32F && out == CUDA_R_32F) return submit_typed<float, float, float>;
  if (in == CUDA_C_32F && out == CUDA_C_32F) return submit_typed<Complex, Complex, Complex>;
  if (in == CUDA_R_16F && out == CUDA_R_16F) return submit_typed<__half, __half, float>;
  if (in == CUDA_R_16F && out == CUDA_R_32F) return submit_typed<__half, float, float>;
  if (in == CUDA_R_16BF && out == CUDA_R_16BF) return submit_typed<__nv_bfloat16, __nv_bfloat16, float>;
  if (in == CUDA_R_16BF && out == CUDA_R_32F) return submit_typed<__nv_bfloat16, float, float>;
  if (in == CUDA_R_8I && out == CUDA_R_32F) return submit_typed<std::int8_t, float, float>;
  return nullptr;
}

/// Null: there is no such product.
SubmitTyped products_of(const ProductTypes& types) {
  using Complex = std::complex<double>;
  if (types.a != types.b) return nullptr;
  if (sums_floats(types.sum)) return float_products(types.a, types.c);
  switch (types.sum) {
    case CUBLAS_COMPUTE_16F:
    case CUBLAS_COMPUTE_16F_PEDANTIC:
      return types.a == CUDA_R_16F && types.c == CUDA_R_16F ? submit_typed<__half, __half, __half> : nullptr;
    case CUBLAS_COMPUTE_64F:
    case CUBLAS_COMPUTE_64F_PEDANTIC:
      if (types.a == CUDA_R_64F && types.c == CUDA_R_64F) return submit_typed<double, double, double>;
      return types.a == CUDA_C_64F && types.c == CUDA_C_64F ? submit_typed<Complex, Complex, Complex> : nullptr;
    case CUBLAS_COMPUTE_32I:
    case CUBLAS_COMPUTE_32I_PEDANTIC:
      return types.a == CUDA_R_8I && types.c == CUDA_R_32I ? submit_typed<std::int8_t, std::int32_t, std::int32_t>
                                                           : nullptr;
    default: return nullptr;
  }
}

/// Numbers that cuBLASLt alone multiplies.
bool is_eight_bits(cudaDataType type) {
  return type == CUDA_R_8F_E4M3 || type == CUDA_R_8F_E5M2;
}

CublasResult submit_any(CublasOperation& operation, const Products& what, const ProductTypes& types, const void* alpha,
                        const void* beta) {
  check_algorithm(operation, types.algorithm);
  const SubmitTyped submit = products_of(types);
  if (submit != nullptr || operation.failed()) {
    return submit == nullptr ? operation.result() : submit(operation, what, alpha, beta);
  }
  const bool cannot_be = is_eight_bits(types.a) || is_eight_bits(types.c) || !is_type(types.c);
  return {cannot_be ? CUBLAS_STATUS_INVALID_VALUE : CUBLAS_STATUS_NOT_SUPPORTED,
          {ReasonKind::blas_types_not_modelled, static_cast<int>(types.a), static_cast<int>(types.b),
           static_cast<int>(types.c), static_cast<int>(types.sum)}};
}

}  // namespace
}  // namespace warpfiber::cuda_libraries

using namespace warpfiber::cuda_libraries;

extern "C" {

#define WARPFIBER_GEMM(t, T, Int, wide)                                                                                \
  cublasStatus_t cublas##t##gemm##wide(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb,      \
                                       Int m, Int n, Int k, const T* alpha, const T* A, Int lda, const T* B, Int ldb,  \
                                       const T* beta, T* C, Int ldc) {                                                 \
    return cublas_operation(__func__, handle, [&](CublasOperation& operation) {                                        \
      const Products what{m, n, k, {"A", A, lda, 0, transa}, {"B", B, ldb, 0, transb}, {"C", C, ldc}};                 \
      return submit_products<Number<T>, Number<T>>(operation, what, numbers(alpha), numbers(beta));                    \
    });                                                                                                                \
  }                                                                                                                    \
  cublasStatus_t cublas##t##gemmStridedBatched##wide(                                                                  \
      cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, Int m, Int n, Int k, const T* alpha,  \
      const T* A, Int lda, long long int strideA, const T* B, Int ldb, long long int strideB, const T* beta, T* C,     \
      Int ldc, long long int strideC, Int batchCount) {                                                                \
    return cublas_operation(                                                                                           \
        __func__, handle, [&](CublasOperation& operation) {                                                            \
          const Products what{                                                                                         \
              m,         n, k, {"A", A, lda, strideA, transa}, {"B", B, ldb, strideB, transb}, {"C", C, ldc, strideC}, \
              batchCount};                                                                                             \
          return submit_products<Number<T>, Number<T>>(operation, what, numbers(alpha), numbers(beta));                \
        });                                                                                                            \
  }                                                                                                                    \
  cublasStatus_t cublas##t##gemmBatched##wide(cublasHandle_t handle, cublasOperation_t transa,                         \
                                              cublasOperation_t transb, Int m, Int n, Int k, const T* alpha,           \
                                              const T* const A[], Int lda, const T* const B[], Int ldb, const T* beta, \
                                              T* const C[], Int ldc, Int batchCount) {                                 \
    return cublas_operation(__func__, handle, [&](CublasOperation& operation) {                                        \
      const Products what{                                                                                             \
          m, n, k, {"A", A, lda, 0, transa}, {"B", B, ldb, 0, transb}, {"C", C, ldc}, batchCount, true};               \
      return submit_products<Number<T>, Number<T>>(operation, what, numbers(alpha), numbers(beta));                    \
    });                                                                                                                \
  }

WARPFIBER_CUBLAS_ALL_BOTH(WARPFIBER_GEMM)
WARPFIBER_CUBLAS_BOTH(WARPFIBER_GEMM, H, __half)

#define WARPFIBER_GEMM_OF_OTHER_TYPES(Int, wide)                                                                       \
  cublasStatus_t cublasSgemmEx##wide(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, Int m, \
                                     Int n, Int k, const float* alpha, const void* A, cudaDataType Atype, Int lda,     \
                                     const void* B, cudaDataType Btype, Int ldb, const float* beta, void* C,           \
                                     cudaDataType Ctype, Int ldc) {                                                    \
    return cublas_operation(__func__, handle, [&](CublasOperation& operation) {                                        \
      const Products what{m, n, k, {"A", A, lda, 0, transa}, {"B", B, ldb, 0, transb}, {"C", C, ldc}};                 \
      return submit_any(operation, what, {Atype, Btype, Ctype, CUBLAS_COMPUTE_32F}, alpha, beta);                      \
    });                                                                                                                \
  }                                                                                                                    \
  cublasStatus_t cublasGemmEx##wide(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, Int m,  \
                                    Int n, Int k, const void* alpha, const void* A, cudaDataType Atype, Int lda,       \
                                    const void* B, cudaDataType Btype, Int ldb, const void* beta, void* C,             \
                                    cudaDataType Ctype, Int ldc, cublasComputeType_t computeType,                      \
                                    cublasGemmAlgo_t algo) {                                                           \
    return cublas_operation(__func__, handle, [&](CublasOperation& operation) {                                        \
      const Products what{m, n, k, {"A", A, lda, 0, transa}, {"B", B, ldb, 0, transb}, {"C", C, ldc}};                 \
      return submit_any(operation, what, {Atype, Btype, Ctype, computeType, algo}, alpha, beta);                       \
    });                                                                                                                \
  }                                                                                                                    \
  cublasStatus_t cublasGemmStridedBatchedEx##wide(                                                                     \
      cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, Int m, Int n, Int k,                  \
      const void* alpha, const void* A, cudaDataType Atype, Int lda, long long int strideA, const void* B,             \
      cudaDataType Btype, Int ldb, long long int strideB, const void* beta, void* C, cudaDataType Ctype, Int ldc,      \
      long long int strideC, Int batchCount, cublasComputeType_t computeType, cublasGemmAlgo_t algo) {                 \
    return cublas_operation(                                                                                           \
        __func__, handle, [&](CublasOperation& operation) {                                                            \
          const Products what{                                                                                         \
              m,         n, k, {"A", A, lda, strideA, transa}, {"B", B, ldb, strideB, transb}, {"C", C, ldc, strideC}, \
              batchCount};                                                                                             \
          return submit_any(operation, what, {Atype, Btype, Ctype, computeType, algo}, alpha, beta);                   \
        });                                                                                                            \
  }                                                                                                                    \
  cublasStatus_t cublasGemmBatchedEx##wide(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb,  \
                                           Int m, Int n, Int k, const void* alpha, const void* const A[],              \
                                           cudaDataType Atype, Int lda, const void* const B[], cudaDataType Btype,     \
                                           Int ldb, const void* beta, void* const C[], cudaDataType Ctype, Int ldc,    \
                                           Int batchCount, cublasComputeType_t computeType, cublasGemmAlgo_t algo) {   \
    return cublas_operation(__func__, handle, [&](CublasOperation& operation) {                                        \
      const Products what{                                                                                             \
          m, n, k, {"A", A, lda, 0, transa}, {"B", B, ldb, 0, transb}, {"C", C, ldc}, batchCount, true};               \
      return submit_any(operation, what, {Atype, Btype, Ctype, computeType, algo}, alpha, beta);                       \
    });                                                                                                                \
  }
WARPFIBER_GEMM_OF_OTHER_TYPES(int, )
WARPFIBER_GEMM_OF_OTHER_TYPES(int64_t, _64)

}  // extern "C"
