// SPDX-License-Identifier: Apache-2.0
// Systems of equations of cuBLAS in batches. Addresses of matrices are read when the operation's turn comes.
#include <algorithm>
#include <functional>
#include <vector>

#include "cuda_libraries/cublas/arguments.hpp"
#include "dense/factors.hpp"

namespace warpfiber::cuda_libraries {
namespace {

using dense::Columns;
using dense::MatrixSize;
using dense::MatrixView;
using dense::Triangle;

/// Matrices of one size whose addresses are in device memory.
template <class T>
struct MatrixBatch {
  const char* name;
  T* const* at;
  MatrixSize size;
  int leading;

  Columns<T> matrix(int i) const { return {at[i], leading}; }
};

/// Numbers of a batch in device memory, `each` for every matrix.
struct BatchNumbers {
  const int* at;
  std::size_t each;
};

class BatchOperation {
 public:
  BatchOperation(CublasOperation& operation, int count) : operation_(operation), count_(count) {
    operation.at_least("batchSize", count, 0);
  }

  template <class T>
  void add(const MatrixBatch<T>& batch, bool reads) {
    constexpr bool kWrites = !std::is_const_v<T>;
    operation_.at_least((std::string("the leading dimension of ") + batch.name).c_str(), batch.leading,
                        std::max<long long>(1, batch.size.rows));
    if (batch.at == nullptr) operation_.fail(CUBLAS_STATUS_INVALID_VALUE, {ReasonKind::end_null, batch.name});
    const std::size_t bytes = sizeof(void*) * static_cast<std::size_t>(std::max(count_, 0));
    addresses_.push_back({device_memory::line(batch.at, bytes), {bytes}, false, batch.name});
    parts_.push_back([batch, reads](CublasOperation& further, int i) {
      if (reads) further.matrix(batch.name, false, batch.at[i], sizeof(T), batch.size, batch.leading);
      if (kWrites) further.matrix(batch.name, true, batch.at[i], sizeof(T), batch.size, batch.leading);
    });
  }
  void add(const char* name, bool writes, const BatchNumbers& numbers) {
    const std::size_t bytes = numbers.each * sizeof(int) * static_cast<std::size_t>(std::max(count_, 0));
    addresses_.push_back({device_memory::line(numbers.at, bytes), {bytes}, writes, name});
  }
  /// Without them rows stay where they are.
  void add_pivots(bool writes, const int* pivots, int n) {
    if (pivots != nullptr) add("PivotArray", writes, {pivots, static_cast<std::size_t>(std::max(n, 0))});
  }

  /// Calls `compute(i)` for each of the batch.
  template <class Compute>
  CublasResult submit(Compute compute) {
    if (operation_.failed() || count_ == 0) return operation_.result();
    for (const device_memory::LibraryAccess& access : addresses_) {
      operation_.add(access.name, access.writes, access.place, access.box);
    }
    device_memory::LibraryCall call;
    call.further = [parts = parts_, count = count_] {
      CublasOperation further;
      for (int i = 0; i < count; ++i) {
        for (const auto& part : parts) part(further, i);
      }
      return further.take_accesses();
    };
    const auto work = [compute, count = count_] {
      for (int i = 0; i < count; ++i) compute(i);
    };
    return operation_.submit(work, call);
  }

 private:
  CublasOperation& operation_;
  int count_;
  device_memory::LibraryAccesses addresses_{};
  std::vector<std::function<void(CublasOperation&, int)>> parts_{};
};

template <class T>
int factor(std::ptrdiff_t n, Columns<T> a, int* pivots) {
  return static_cast<int>(dense::factor_lu<T>({n, n}, a, pivots));
}

/// The inverse by factors, unless one is zero on the diagonal: then its number, from 1, is returned.
template <class T>
int invert_by(std::ptrdiff_t n, Columns<const T> lu, const int* pivots, Columns<T> inverse) {
  if (const std::ptrdiff_t zero = dense::zero_on_diagonal<T>(n, lu); zero != 0) return static_cast<int>(zero);
  for (std::ptrdiff_t j = 0; j < n; ++j) {
    for (std::ptrdiff_t i = 0; i < n; ++i) inverse(i, j) = T(i == j ? 1 : 0);
  }
  dense::solve_lu<T>({n, n}, lu, dense::SystemForm::plain, pivots, inverse);
  return 0;
}

dense::SystemForm form_of(cublasOperation_t operation) {
  if (operation == CUBLAS_OP_N) return dense::SystemForm::plain;
  return operation == CUBLAS_OP_T ? dense::SystemForm::transposed : dense::SystemForm::adjoint;
}

template <class T>
CublasResult factorise(CublasOperation& operation, int n, T* const* a, int lda, int* pivots, int* info, int count) {
  operation.at_least("n", n, 0);
  const MatrixBatch<T> matrices{"A", a, {n, n}, lda};
  BatchOperation batch(operation, count);
  batch.add(matrices, true);
  batch.add_pivots(true, pivots, n);
  batch.add("infoArray", true, {info, 1});
  return batch.submit(
      [=](int i) { info[i] = factor<T>(n, matrices.matrix(i), pivots == nullptr ? nullptr : pivots + i * n); });
}

struct SystemsShape {
  cublasOperation_t trans;
  int n, right_sides, lda, ldb;
};

/// The number, from 1, of the first argument that cannot be, after the handle; 0: none.
int wrong_argument(const SystemsShape& shape, int count) {
  constexpr int kTrans = 1, kN = 2, kRightSides = 3, kLda = 5, kLdb = 8, kCount = 10;
  if (shape.trans < CUBLAS_OP_N || shape.trans > CUBLAS_OP_C) return kTrans;
  if (shape.n < 0) return kN;
  if (shape.right_sides < 0) return kRightSides;
  if (shape.lda < std::max(1, shape.n)) return kLda;
  if (shape.ldb < std::max(1, shape.n)) return kLdb;
  return count < 0 ? kCount : 0;
}

template <class T>
CublasResult solve(CublasOperation& operation, const SystemsShape& shape, const T* const* a, const int* pivots,
                   T* const* b, int* info, int count) {
  if (info == nullptr) operation.fail(CUBLAS_STATUS_INVALID_VALUE, ReasonKind::result_pointer_null);
  if (operation.failed()) return operation.result();
  *info = -wrong_argument(shape, count);
  operation.choose("operation", shape.trans, CUBLAS_OP_C);
  operation.at_least("n", shape.n, 0);
  operation.at_least("nrhs", shape.right_sides, 0);
  const MatrixBatch<const T> factors{"A", a, {shape.n, shape.n}, shape.lda};
  const MatrixBatch<T> sides{"B", b, {shape.n, shape.right_sides}, shape.ldb};
  BatchOperation batch(operation, count);
  batch.add(factors, true);
  batch.add_pivots(false, pivots, shape.n);
  batch.add(sides, true);
  return batch.submit([=](int i) {
    dense::solve_lu<T>({shape.n, shape.right_sides}, factors.matrix(i), form_of(shape.trans),
                       pivots == nullptr ? nullptr : pivots + i * shape.n, sides.matrix(i));
  });
}

template <class T>
CublasResult invert(CublasOperation& operation, int n, const T* const* a, int lda, const int* pivots, T* const* c,
                    int ldc, int* info, int count) {
  operation.at_least("n", n, 0);
  const MatrixBatch<const T> factors{"A", a, {n, n}, lda};
  const MatrixBatch<T> inverses{"C", c, {n, n}, ldc};
  BatchOperation batch(operation, count);
  batch.add(factors, true);
  batch.add_pivots(false, pivots, n);
  batch.add(inverses, false);
  batch.add("infoArray", true, {info, 1});
  return batch.submit([=](int i) {
    info[i] = invert_by<T>(n, factors.matrix(i), pivots == nullptr ? nullptr : pivots + i * n, inverses.matrix(i));
  });
}

/// Factorises a copy.
template <class T>
CublasResult invert_whole(CublasOperation& operation, int n, const T* const* a, int lda, T* const* c, int ldc,
                          int* info, int count) {
  constexpr int kMost = 32;
  operation.at_least("n", n, 0);
  if (n > kMost) operation.fail(CUBLAS_STATUS_INVALID_VALUE, {ReasonKind::blas_value_too_large, "n", n, kMost});
  const MatrixBatch<const T> matrices{"A", a, {n, n}, lda};
  const MatrixBatch<T> inverses{"Ainv", c, {n, n}, ldc};
  BatchOperation batch(operation, count);
  batch.add(matrices, true);
  batch.add(inverses, false);
  batch.add("info", true, {info, 1});
  return batch.submit([=](int i) {
    dense::ColumnArray<T> copy(n, n);
    std::vector<int> pivots(static_cast<std::size_t>(n));
    for (std::ptrdiff_t j = 0; j < n; ++j) std::copy_n(matrices.matrix(i).column(j), n, copy.columns().column(j));
    factor<T>(n, copy.columns(), pivots.data());
    info[i] = invert_by<T>(n, {copy.columns().at, n}, pivots.data(), inverses.matrix(i));
  });
}

struct TrianglesShape {
  cublasSideMode_t side;
  cublasFillMode_t part;
  cublasOperation_t trans;
  cublasDiagType_t diagonal;
  int m, n;
};

template <class T>
CublasResult solve_triangles(CublasOperation& operation, const TrianglesShape& shape, const T* alpha, const T* const* a,
                             int lda, T* const* b, int ldb, int count) {
  operation.choose("side", shape.side, CUBLAS_SIDE_RIGHT);
  operation.choose("fill mode", shape.part, CUBLAS_FILL_MODE_UPPER);
  operation.choose("operation", shape.trans, CUBLAS_OP_C);
  operation.choose("diagonal type", shape.diagonal, CUBLAS_DIAG_UNIT);
  operation.at_least("m", shape.m, 0);
  operation.at_least("n", shape.n, 0);
  const Factor<T> by = operation.factor("alpha", alpha);
  const bool left = shape.side == CUBLAS_SIDE_LEFT;
  const int order = left ? shape.m : shape.n;
  const MatrixBatch<const T> triangles{"A", a, {order, order}, lda};
  const MatrixBatch<T> sides{"B", b, {shape.m, shape.n}, ldb};
  BatchOperation batch(operation, count);
  batch.add(triangles, true);
  batch.add(sides, true);
  return batch.submit([=](int i) {
    const Triangle stored{shape.part == CUBLAS_FILL_MODE_UPPER, shape.diagonal == CUBLAS_DIAG_UNIT};
    MatrixView<const T> of = operand(triangles.at[i], lda, shape.trans);
    const Triangle part = transposes(shape.trans) ? stored.transposed() : stored;
    const MatrixView<T> to = sides.matrix(i).view();
    if (left) return dense::solve_triangular<T>({shape.m, shape.n}, by.value(), of, part, to);
    dense::solve_triangular<T>({shape.n, shape.m}, by.value(), of.transposed(), part.transposed(), to.transposed());
  });
}

template <class T>
auto numbers_of(T* const* at) {
  return reinterpret_cast<Number<T>* const*>(at);
}
template <class T>
auto numbers_of(const T* const* at) {
  return reinterpret_cast<const Number<T>* const*>(at);
}

}  // namespace
}  // namespace warpfiber::cuda_libraries

using namespace warpfiber::cuda_libraries;

extern "C" {

// clang-format off
#define WARPFIBER_SYSTEMS(t, T)                                                                                        \
  cublasStatus_t cublas##t##getrfBatched(cublasHandle_t handle, int n, T* const A[], int lda, int* P, int* info,       \
                                         int batchSize) {                                                              \
    return cublas_operation(__func__, handle, [&](CublasOperation& operation) {                                        \
      return factorise(operation, n, numbers_of(A), lda, P, info, batchSize);                                          \
    });                                                                                                                \
  }                                                                                                                    \
  cublasStatus_t cublas##t##getrsBatched(cublasHandle_t handle, cublasOperation_t trans, int n, int nrhs,              \
                                         const T* const A[], int lda, const int* P, T* const B[], int ldb, int* info,  \
                                         int batchSize) {                                                              \
    return cublas_operation(__func__, handle, [&](CublasOperation& operation) {                                        \
      return solve(operation, {trans, n, nrhs, lda, ldb}, numbers_of(A), P, numbers_of(B), info, batchSize);           \
    });                                                                                                                \
  }                                                                                                                    \
  cublasStatus_t cublas##t##getriBatched(cublasHandle_t handle, int n, const T* const A[], int lda, const int* P,      \
                                         T* const C[], int ldc, int* info, int batchSize) {                            \
    return cublas_operation(__func__, handle, [&](CublasOperation& operation) {                                        \
      return invert(operation, n, numbers_of(A), lda, P, numbers_of(C), ldc, info, batchSize);                         \
    });                                                                                                                \
  }                                                                                                                    \
  cublasStatus_t cublas##t##matinvBatched(cublasHandle_t handle, int n, const T* const A[], int lda, T* const Ainv[],  \
                                          int lda_inv, int* info, int batchSize) {                                     \
    return cublas_operation(__func__, handle, [&](CublasOperation& operation) {                                        \
      return invert_whole(operation, n, numbers_of(A), lda, numbers_of(Ainv), lda_inv, info, batchSize);               \
    });                                                                                                                \
  }                                                                                                                    \
  cublasStatus_t cublas##t##trsmBatched(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,           \
                                        cublasOperation_t trans, cublasDiagType_t diag, int m, int n, const T* alpha,  \
                                        const T* const A[], int lda, T* const B[], int ldb, int batchCount) {          \
    return cublas_operation(__func__, handle, [&](CublasOperation& operation) {                                        \
      return solve_triangles(operation, {side, uplo, trans, diag, m, n}, numbers(alpha), numbers_of(A), lda,           \
                             numbers_of(B), ldb, batchCount);                                                          \
    });                                                                                                                \
  }
// clang-format on

WARPFIBER_CUBLAS_ALL_TYPES(WARPFIBER_SYSTEMS)

}  // extern "C"
