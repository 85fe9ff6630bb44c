// SPDX-License-Identifier: Apache-2.0
// Levels 2 and 3 of cuBLAS but for plain products, and sums of matrices. A vector is a matrix of one column; a function
// that has the matrix on its right works on transposed ones.
#include <algorithm>

#include "cuda_libraries/cublas/arguments.hpp"
#include "dense/products.hpp"

namespace warpfiber::cuda_libraries {
namespace {

using dense::MatrixSize;
using dense::MatrixView;
using dense::Triangle;

template <class T>
CublasResult gemv(CublasOperation& operation, cublasOperation_t trans, MatrixSize size, const T* alpha,
                  Stored<const T> a, const Vector<const T>& x, const T* beta, const Vector<T>& y) {
  operation.choose("operation", trans, CUBLAS_OP_CONJG);
  operation.at_least("lda", a.leading, std::max<long long>(1, size.rows));
  const Factor<T> by = operation.factor("alpha", alpha);
  const Factor<T> keeps = operation.factor("beta", beta);
  if (operation.failed() || size.rows <= 0 || size.columns <= 0) return operation.result();
  operation.not_null("y", y.at);
  if (by.counts()) {
    operation.not_null("A", a.at);
    operation.not_null("x", x.at);
    operation.matrix("A", false, a.at, sizeof(T), size, a.leading);
    operation.vector("x", false, x);
  }
  if (keeps.counts()) operation.vector("y", false, y);
  operation.vector("y", true, y);
  return operation.submit([=] {
    dense::multiply<T, T, T>({y.n, 1}, x.n, by.value(), operand(a.at, a.leading, trans), x.column(), keeps.value(),
                             y.column());
  });
}

template <class T>
CublasResult ger(CublasOperation& operation, bool conjugated, const T* alpha, const Vector<const T>& x,
                 const Vector<const T>& y, Stored<T> a) {
  operation.at_least("m", x.n, 0);
  operation.at_least("n", y.n, 0);
  operation.at_least("lda", a.leading, std::max<long long>(1, x.n));
  const Factor<T> by = operation.factor("alpha", alpha);
  if (operation.failed() || x.n == 0 || y.n == 0 || !by.counts()) return operation.result();
  operation.vector("x", false, x);
  operation.vector("y", false, y);
  for (const bool writes : {false, true}) operation.matrix("A", writes, a.at, sizeof(T), {x.n, y.n}, a.leading);
  return operation.submit([=] {
    MatrixView<const T> row = y.column().transposed();
    if (conjugated) row = row.conjugate_of();
    dense::multiply<T, T, T>({x.n, y.n}, 1, by.value(), x.column(), row, T(1), a.matrix());
  });
}

/// C = alpha * A * B + beta * C of an A that equals its transposed one, or B * A where A is on the right.
struct SymmetricProduct {
  cublasSideMode_t side;
  cublasFillMode_t part;
  bool hermitian;
  std::int64_t m, n;
};

template <class T>
CublasResult symm(CublasOperation& operation, const SymmetricProduct& what, const T* alpha, Stored<const T> a,
                  Stored<const T> b, const T* beta, Stored<T> c) {
  const bool left = what.side == CUBLAS_SIDE_LEFT;
  const std::int64_t order = left ? what.m : what.n;
  const MatrixSize size{what.m, what.n};
  operation.choose("side", what.side, CUBLAS_SIDE_RIGHT);
  operation.choose("fill mode", what.part, CUBLAS_FILL_MODE_UPPER);
  operation.at_least("m", what.m, 0);
  operation.at_least("n", what.n, 0);
  operation.at_least("lda", a.leading, std::max<std::int64_t>(1, order));
  operation.at_least("ldb", b.leading, std::max<std::int64_t>(1, what.m));
  operation.at_least("ldc", c.leading, std::max<std::int64_t>(1, what.m));
  const Factor<T> by = operation.factor("alpha", alpha);
  const Factor<T> keeps = operation.factor("beta", beta);
  if (operation.failed() || what.m == 0 || what.n == 0) return operation.result();
  operation.not_null("C", c.at);
  const Triangle triangle{what.part == CUBLAS_FILL_MODE_UPPER};
  operation.triangle("A", false, a.at, order, a.leading, triangle);
  operation.matrix("B", false, b.at, sizeof(T), size, b.leading);
  if (keeps.counts()) operation.matrix("C", false, c.at, sizeof(T), size, c.leading);
  operation.matrix("C", true, c.at, sizeof(T), size, c.leading);
  return operation.submit([=] {
    const std::vector<T> all = dense::mirrored<T>(order, a.matrix(), triangle, what.hermitian);
    const MatrixView<const T> whole{all.data(), 1, order};
    dense::multiply<T, T, T>(size, order, by.value(), left ? whole : b.matrix(), left ? b.matrix() : whole,
                             keeps.value(), c.matrix());
  });
}

template <class T>
CublasResult symv(CublasOperation& operation, cublasFillMode_t part, bool hermitian, const T* alpha, Stored<const T> a,
                  const Vector<const T>& x, const T* beta, const Vector<T>& y) {
  operation.choose("fill mode", part, CUBLAS_FILL_MODE_UPPER);
  operation.at_least("n", x.n, 0);
  operation.at_least("lda", a.leading, std::max<long long>(1, x.n));
  const Factor<T> by = operation.factor("alpha", alpha);
  const Factor<T> keeps = operation.factor("beta", beta);
  if (operation.failed() || x.n == 0) return operation.result();
  const Triangle triangle{part == CUBLAS_FILL_MODE_UPPER};
  operation.triangle("A", false, a.at, x.n, a.leading, triangle);
  operation.vector("x", false, x);
  if (keeps.counts()) operation.vector("y", false, y);
  operation.vector("y", true, y);
  return operation.submit([=] {
    const std::vector<T> all = dense::mirrored<T>(x.n, a.matrix(), triangle, hermitian);
    dense::multiply<T, T, T>({x.n, 1}, x.n, by.value(), {all.data(), 1, x.n}, x.column(), keeps.value(), y.column());
  });
}

template <class T, class R>
CublasResult syrk(CublasOperation& operation, cublasFillMode_t part, cublasOperation_t trans, bool hermitian,
                  std::int64_t n, std::int64_t k, const R* alpha, Stored<const T> a, const R* beta, Stored<T> c) {
  operation.choose("fill mode", part, CUBLAS_FILL_MODE_UPPER);
  operation.choose("operation", trans, CUBLAS_OP_C);
  operation.at_least("n", n, 0);
  operation.at_least("k", k, 0);
  operation.at_least("lda", a.leading, std::max<std::int64_t>(1, trans == CUBLAS_OP_N ? n : k));
  operation.at_least("ldc", c.leading, std::max<std::int64_t>(1, n));
  const Factor<R> by = operation.factor("alpha", alpha);
  const Factor<R> keeps = operation.factor("beta", beta);
  if (operation.failed() || n == 0) return operation.result();
  operation.not_null("C", c.at);
  const Triangle triangle{part == CUBLAS_FILL_MODE_UPPER};
  if (by.counts()) operation.matrix("A", false, a.at, sizeof(T), stored_size(n, k, trans), a.leading);
  if (keeps.counts()) operation.triangle("C", false, c.at, n, c.leading, triangle);
  operation.triangle("C", true, c.at, n, c.leading, triangle);
  return operation.submit([=] {
    const MatrixView<const T> left = operand(a.at, a.leading, hermitian || trans == CUBLAS_OP_N ? trans : CUBLAS_OP_T);
    const MatrixView<const T> right = left.transposed();
    dense::multiply_triangle<T>(n, k, T(by.value()), left, hermitian ? right.conjugate_of() : right, T(keeps.value()),
                                c.matrix(), triangle, hermitian);
  });
}

/// What functions of a triangular matrix do: A on the side of B.
struct Triangular {
  cublasSideMode_t side;
  cublasFillMode_t part;
  cublasOperation_t trans;
  cublasDiagType_t diagonal;
  long long m, n;

  long long order() const { return side == CUBLAS_SIDE_LEFT ? m : n; }
  Triangle stored() const { return {part == CUBLAS_FILL_MODE_UPPER, diagonal == CUBLAS_DIAG_UNIT}; }
};

void check_triangular(CublasOperation& operation, const Triangular& what, std::int64_t lda) {
  operation.choose("side", what.side, CUBLAS_SIDE_RIGHT);
  operation.choose("fill mode", what.part, CUBLAS_FILL_MODE_UPPER);
  operation.choose("operation", what.trans, CUBLAS_OP_C);
  operation.choose("diagonal type", what.diagonal, CUBLAS_DIAG_UNIT);
  operation.at_least("m", what.m, 0);
  operation.at_least("n", what.n, 0);
  operation.at_least("lda", lda, std::max<long long>(1, what.order()));
}

/// Calls `compute(size, A, its triangle, B, C)` with A on the left.
template <class T, class Compute>
void with_triangle_on_left(const Triangular& what, Stored<const T> a, MatrixView<const T> b, MatrixView<T> c,
                           Compute compute) {
  MatrixView<const T> on_left = operand(a.at, a.leading, what.trans);
  Triangle part = transposes(what.trans) ? what.stored().transposed() : what.stored();
  if (what.side == CUBLAS_SIDE_LEFT) return compute(MatrixSize{what.m, what.n}, on_left, part, b, c);
  compute(MatrixSize{what.n, what.m}, on_left.transposed(), part.transposed(), b.transposed(), c.transposed());
}

template <class T>
void solve(const Triangular& what, T alpha, Stored<const T> a, MatrixView<T> b) {
  with_triangle_on_left<T>(what, a, {}, b,
                           [alpha](MatrixSize size, auto left, Triangle part, const auto&, MatrixView<T> to) {
                             dense::solve_triangular<T>(size, alpha, left, part, to);
                           });
}

template <class T>
void multiply(const Triangular& what, T alpha, Stored<const T> a, MatrixView<const T> b, MatrixView<T> c) {
  with_triangle_on_left<T>(what, a, b, c,
                           [alpha](MatrixSize size, auto left, Triangle part, auto from, MatrixView<T> to) {
                             dense::multiply_triangular<T>(size, alpha, left, part, from, to);
                           });
}

template <class T>
CublasResult trsm(CublasOperation& operation, const Triangular& what, const T* alpha, Stored<const T> a, Stored<T> b) {
  check_triangular(operation, what, a.leading);
  operation.at_least("ldb", b.leading, std::max<long long>(1, what.m));
  const Factor<T> by = operation.factor("alpha", alpha);
  if (operation.failed() || what.m == 0 || what.n == 0) return operation.result();
  operation.triangle("A", false, a.at, what.order(), a.leading, what.stored());
  for (const bool writes : {false, true}) {
    operation.matrix("B", writes, b.at, sizeof(T), {what.m, what.n}, b.leading);
  }
  return operation.submit([=] { solve<T>(what, by.value(), a, b.matrix()); });
}

template <class T>
CublasResult trmm(CublasOperation& operation, const Triangular& what, const T* alpha, Stored<const T> a,
                  Stored<const T> b, Stored<T> c) {
  check_triangular(operation, what, a.leading);
  operation.at_least("ldb", b.leading, std::max<long long>(1, what.m));
  operation.at_least("ldc", c.leading, std::max<long long>(1, what.m));
  const Factor<T> by = operation.factor("alpha", alpha);
  if (operation.failed() || what.m == 0 || what.n == 0) return operation.result();
  operation.not_null("A", a.at);
  operation.not_null("B", b.at);
  operation.not_null("C", c.at);
  operation.triangle("A", false, a.at, what.order(), a.leading, what.stored());
  operation.matrix("B", false, b.at, sizeof(T), {what.m, what.n}, b.leading);
  operation.matrix("C", true, c.at, sizeof(T), {what.m, what.n}, c.leading);
  return operation.submit([=] { multiply<T>(what, by.value(), a, b.matrix(), c.matrix()); });
}

/// trsv or trmv.
template <class T>
CublasResult triangle_and_vector(CublasOperation& operation, bool solves, const Triangular& what, Stored<const T> a,
                                 const Vector<T>& x) {
  check_triangular(operation, what, a.leading);
  if (operation.failed() || what.m == 0) return operation.result();
  operation.triangle("A", false, a.at, what.m, a.leading, what.stored());
  for (const bool writes : {false, true}) operation.vector("x", writes, x);
  return operation.submit([=] {
    const MatrixView<T> to = x.column();
    if (solves) return solve<T>(what, T(1), a, to);
    multiply<T>(what, T(1), a, {to.at, to.row_step, to.column_step}, to);
  });
}

template <class T>
CublasResult geam(CublasOperation& operation, cublasOperation_t transa, cublasOperation_t transb, MatrixSize size,
                  const T* alpha, Stored<const T> a, const T* beta, Stored<const T> b, Stored<T> c) {
  operation.choose("operation of A", transa, CUBLAS_OP_C);
  operation.choose("operation of B", transb, CUBLAS_OP_C);
  operation.at_least("m", size.rows, 0);
  operation.at_least("n", size.columns, 0);
  const MatrixSize a_size = stored_size(size.rows, size.columns, transa);
  const MatrixSize b_size = stored_size(size.rows, size.columns, transb);
  operation.at_least("lda", a.leading, std::max<long long>(1, a_size.rows));
  operation.at_least("ldb", b.leading, std::max<long long>(1, b_size.rows));
  operation.at_least("ldc", c.leading, std::max<long long>(1, size.rows));
  const Factor<T> by = operation.factor("alpha", alpha);
  const Factor<T> other = operation.factor("beta", beta);
  if (operation.failed() || size.rows == 0 || size.columns == 0) return operation.result();
  if (by.counts()) operation.matrix("A", false, a.at, sizeof(T), a_size, a.leading);
  if (other.counts()) operation.matrix("B", false, b.at, sizeof(T), b_size, b.leading);
  operation.matrix("C", true, c.at, sizeof(T), size, c.leading);
  return operation.submit([=, first = operand(a.at, a.leading, transa), second = operand(b.at, b.leading, transb)] {
    const T of_a = by.value();
    const T of_b = other.value();
    for (std::ptrdiff_t j = 0; j < size.columns; ++j) {
      for (std::ptrdiff_t i = 0; i < size.rows; ++i) {
        T sum = of_a == T{} ? T{} : dense::product(of_a, first(i, j));
        if (of_b != T{}) sum += dense::product(of_b, second(i, j));
        c.matrix().place(i, j) = sum;
      }
    }
  });
}

template <class T>
CublasResult dgmm(CublasOperation& operation, cublasSideMode_t side, MatrixSize size, Stored<const T> a,
                  const Vector<const T>& x, Stored<T> c) {
  operation.choose("side", side, CUBLAS_SIDE_RIGHT);
  operation.at_least("m", size.rows, 0);
  operation.at_least("n", size.columns, 0);
  operation.at_least("lda", a.leading, std::max<long long>(1, size.rows));
  operation.at_least("ldc", c.leading, std::max<long long>(1, size.rows));
  if (operation.failed() || size.rows == 0 || size.columns == 0) return operation.result();
  operation.matrix("A", false, a.at, sizeof(T), size, a.leading);
  operation.vector("x", false, x);
  operation.matrix("C", true, c.at, sizeof(T), size, c.leading);
  return operation.submit([=] {
    for (std::ptrdiff_t j = 0; j < size.columns; ++j) {
      for (std::ptrdiff_t i = 0; i < size.rows; ++i) {
        const T factor = x.first()[(side == CUBLAS_SIDE_LEFT ? i : j) * x.increment];
        c.matrix().place(i, j) = dense::product(a.matrix()(i, j), factor);
      }
    }
  });
}

}  // namespace
}  // namespace warpfiber::cuda_libraries

using namespace warpfiber::cuda_libraries;

extern "C" {

// clang-format off
#define WARPFIBER_MATRICES(t, T, Int, wide)                                                                            \
  cublasStatus_t cublas##t##gemv##wide(cublasHandle_t handle, cublasOperation_t trans, Int m, Int n, const T* alpha,   \
                                 const T* A, Int lda, const T* x, Int incx, const T* beta, T* y, Int incy) {           \
    return cublas_operation(__func__, handle, [&](CublasOperation& operation) {                                        \
      return gemv(operation, trans, {m, n}, numbers(alpha), stored(A, lda),                                            \
                  any_vector(x, transposes(trans) ? m : n, incx), numbers(beta),                                       \
                  any_vector(y, transposes(trans) ? n : m, incy));                                                     \
    });                                                                                                                \
  }                                                                                                                    \
  cublasStatus_t cublas##t##trsv##wide(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans,          \
                                 cublasDiagType_t diag, Int n, const T* A, Int lda, T* x, Int incx) {                  \
    return cublas_operation(__func__, handle, [&](CublasOperation& operation) {                                        \
      return triangle_and_vector(operation, true, {CUBLAS_SIDE_LEFT, uplo, trans, diag, n, 1}, stored(A, lda),         \
                                 vector_of(operation, "incx", x, n, incx));                                            \
    });                                                                                                                \
  }                                                                                                                    \
  cublasStatus_t cublas##t##trmv##wide(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans,          \
                                 cublasDiagType_t diag, Int n, const T* A, Int lda, T* x, Int incx) {                  \
    return cublas_operation(__func__, handle, [&](CublasOperation& operation) {                                        \
      return triangle_and_vector(operation, false, {CUBLAS_SIDE_LEFT, uplo, trans, diag, n, 1}, stored(A, lda),        \
                                 vector_of(operation, "incx", x, n, incx));                                            \
    });                                                                                                                \
  }                                                                                                                    \
  cublasStatus_t cublas##t##trsm##wide(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,            \
                                 cublasOperation_t trans, cublasDiagType_t diag, Int m, Int n, const T* alpha,         \
                                 const T* A, Int lda, T* B, Int ldb) {                                                 \
    return cublas_operation(__func__, handle, [&](CublasOperation& operation) {                                        \
      return trsm(operation, {side, uplo, trans, diag, m, n}, numbers(alpha), stored(A, lda), stored(B, ldb));         \
    });                                                                                                                \
  }                                                                                                                    \
  cublasStatus_t cublas##t##trmm##wide(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,            \
                                 cublasOperation_t trans, cublasDiagType_t diag, Int m, Int n, const T* alpha,         \
                                 const T* A, Int lda, const T* B, Int ldb, T* C, Int ldc) {                            \
    return cublas_operation(__func__, handle, [&](CublasOperation& operation) {                                        \
      return trmm(operation, {side, uplo, trans, diag, m, n}, numbers(alpha), stored(A, lda), stored(B, ldb),          \
                  stored(C, ldc));                                                                                     \
    });                                                                                                                \
  }                                                                                                                    \
  cublasStatus_t cublas##t##geam##wide(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, Int m, \
                                 Int n, const T* alpha, const T* A, Int lda, const T* beta, const T* B, Int ldb,       \
                                 T* C, Int ldc) {                                                                      \
    return cublas_operation(__func__, handle, [&](CublasOperation& operation) {                                        \
      return geam(operation, transa, transb, {m, n}, numbers(alpha), stored(A, lda), numbers(beta), stored(B, ldb),    \
                  stored(C, ldc));                                                                                     \
    });                                                                                                                \
  }                                                                                                                    \
  cublasStatus_t cublas##t##dgmm##wide(cublasHandle_t handle, cublasSideMode_t mode, Int m, Int n, const T* A, Int lda, \
                                 const T* x, Int incx, T* C, Int ldc) {                                                \
    return cublas_operation(__func__, handle, [&](CublasOperation& operation) {                                        \
      return dgmm(operation, mode, {m, n}, stored(A, lda),                                                             \
                  any_vector(x, mode == CUBLAS_SIDE_LEFT ? m : n, incx), stored(C, ldc));                              \
    });                                                                                                                \
  }

#define WARPFIBER_GER(function, T, conjugated, Int, wide)                                                              \
  cublasStatus_t cublas##function##wide(cublasHandle_t handle, Int m, Int n, const T* alpha, const T* x, Int incx,     \
                                  const T* y, Int incy, T* A, Int lda) {                                               \
    return cublas_operation(__func__, handle, [&](CublasOperation& operation) {                                        \
      return ger(operation, conjugated, numbers(alpha), vector_of(operation, "incx", x, m, incx),                      \
                 vector_of(operation, "incy", y, n, incy), stored(A, lda));                                            \
    });                                                                                                                \
  }

#define WARPFIBER_SYMMETRIC(t, name, T, hermitian, Int, wide)                                                          \
  cublasStatus_t cublas##t##name##v##wide(cublasHandle_t handle, cublasFillMode_t uplo, Int n, const T* alpha, const T* A, \
                                    Int lda, const T* x, Int incx, const T* beta, T* y, Int incy) {                    \
    return cublas_operation(__func__, handle, [&](CublasOperation& operation) {                                        \
      return symv(operation, uplo, hermitian, numbers(alpha), stored(A, lda), vector_of(operation, "incx", x, n, incx), \
                  numbers(beta), vector_of(operation, "incy", y, n, incy));                                            \
    });                                                                                                                \
  }                                                                                                                    \
  cublasStatus_t cublas##t##name##m##wide(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, Int m, Int n, \
                                    const T* alpha, const T* A, Int lda, const T* B, Int ldb, const T* beta, T* C,     \
                                    Int ldc) {                                                                         \
    return cublas_operation(__func__, handle, [&](CublasOperation& operation) {                                        \
      return symm(operation, {side, uplo, hermitian, m, n}, numbers(alpha), stored(A, lda), stored(B, ldb),            \
                  numbers(beta), stored(C, ldc));                                                                      \
    });                                                                                                                \
  }

#define WARPFIBER_SYRK(function, T, R, hermitian, Int, wide)                                                           \
  cublasStatus_t cublas##function##wide(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, Int n, Int k, \
                                  const R* alpha, const T* A, Int lda, const R* beta, T* C, Int ldc) {                 \
    return cublas_operation(__func__, handle, [&](CublasOperation& operation) {                                        \
      return syrk(operation, uplo, trans, hermitian, n, k, numbers(alpha), stored(A, lda), numbers(beta),              \
                  stored(C, ldc));                                                                                     \
    });                                                                                                                \
  }
// clang-format on

WARPFIBER_CUBLAS_ALL_BOTH(WARPFIBER_MATRICES)
WARPFIBER_CUBLAS_BOTH(WARPFIBER_GER, Sger, float, false)
WARPFIBER_CUBLAS_BOTH(WARPFIBER_GER, Dger, double, false)
WARPFIBER_CUBLAS_BOTH(WARPFIBER_GER, Cgeru, float2, false)
WARPFIBER_CUBLAS_BOTH(WARPFIBER_GER, Cgerc, float2, true)
WARPFIBER_CUBLAS_BOTH(WARPFIBER_GER, Zgeru, double2, false)
WARPFIBER_CUBLAS_BOTH(WARPFIBER_GER, Zgerc, double2, true)
WARPFIBER_CUBLAS_BOTH(WARPFIBER_SYMMETRIC, S, sym, float, false)
WARPFIBER_CUBLAS_BOTH(WARPFIBER_SYMMETRIC, D, sym, double, false)
WARPFIBER_CUBLAS_BOTH(WARPFIBER_SYMMETRIC, C, sym, float2, false)
WARPFIBER_CUBLAS_BOTH(WARPFIBER_SYMMETRIC, Z, sym, double2, false)
WARPFIBER_CUBLAS_BOTH(WARPFIBER_SYMMETRIC, C, hem, float2, true)
WARPFIBER_CUBLAS_BOTH(WARPFIBER_SYMMETRIC, Z, hem, double2, true)
WARPFIBER_CUBLAS_BOTH(WARPFIBER_SYRK, Ssyrk, float, float, false)
WARPFIBER_CUBLAS_BOTH(WARPFIBER_SYRK, Dsyrk, double, double, false)
WARPFIBER_CUBLAS_BOTH(WARPFIBER_SYRK, Csyrk, float2, float2, false)
WARPFIBER_CUBLAS_BOTH(WARPFIBER_SYRK, Zsyrk, double2, double2, false)
WARPFIBER_CUBLAS_BOTH(WARPFIBER_SYRK, Cherk, float2, float, true)
WARPFIBER_CUBLAS_BOTH(WARPFIBER_SYRK, Zherk, double2, double, true)

}  // extern "C"

#undef WARPFIBER_SYMMETRIC
