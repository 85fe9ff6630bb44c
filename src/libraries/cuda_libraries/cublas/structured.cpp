// SPDX-License-Identifier: Apache-2.0
// Level 2 of cuBLAS for bands, packed triangles and updates of triangles, and copies between packed and full ones.
#include "dense/structured.hpp"

#include <algorithm>

#include "cuda_libraries/cublas/arguments.hpp"

namespace warpfiber::cuda_libraries {
namespace {

using dense::Mirror;
using dense::Storage;
using dense::StoredPart;
using dense::StructuredMatrix;

/// A triangle as functions are given it: of a band it has `diagonals` next to the diagonal.
struct GivenTriangle {
  cublasFillMode_t part;
  Storage storage;
  std::ptrdiff_t n;
  std::int64_t diagonals;
  std::int64_t leading;

  StoredPart stored() const {
    const std::ptrdiff_t reach = storage == Storage::band ? std::min<std::ptrdiff_t>(diagonals, n - 1) : n - 1;
    StoredPart all = dense::triangle_of(storage, n, reach, leading, part == CUBLAS_FILL_MODE_UPPER);
    // In memory all diagonals of a band have their row.
    if (storage == Storage::band && part == CUBLAS_FILL_MODE_UPPER) all.above = diagonals;
    return all;
  }
};

void check(CublasOperation& operation, const GivenTriangle& given) {
  operation.choose("fill mode", given.part, CUBLAS_FILL_MODE_UPPER);
  operation.at_least("n", given.n, 0);
  if (given.storage == Storage::band) operation.at_least("k", given.diagonals, 0);
  if (given.storage == Storage::band && !operation.failed()) {
    operation.at_least("lda", given.leading, given.diagonals + 1);
  }
  if (given.storage == Storage::packed) operation.at_most("n", given.n, 1LL << 24);  // elements of a process's memory
  if (given.storage == Storage::full) operation.at_least("lda", given.leading, std::max<long long>(1, given.n));
}

/// `without_diagonal`: memory holds something else there.
template <class T>
void add_part(CublasOperation& operation, const char* name, bool writes, const T* at, const StoredPart& part,
              bool without_diagonal = false) {
  for (std::ptrdiff_t j = 0; j < part.columns && !operation.failed(); ++j) {
    std::ptrdiff_t first = part.first_row(j);
    std::ptrdiff_t end = part.end_row(j);
    if (without_diagonal && part.above == 0) ++first;
    if (without_diagonal && part.above != 0) --end;
    if (first >= end) continue;
    const auto bytes = static_cast<std::size_t>(end - first) * sizeof(T);
    operation.add(name, writes, device_memory::line(at + part.offset(first, j), bytes), {bytes});
  }
}

/// y = alpha * A * x + beta * y.
template <class T>
CublasResult multiply(CublasOperation& operation, const StructuredMatrix<T>& a, const T* alpha,
                      const Vector<const T>& x, const T* beta, const Vector<T>& y) {
  const Factor<T> by = operation.factor("alpha", alpha);
  const Factor<T> keeps = operation.factor("beta", beta);
  if (operation.failed() || a.part.rows == 0 || a.part.columns == 0) return operation.result();
  if (by.counts()) {
    add_part(operation, "A", false, a.at, a.part);
    operation.vector("x", false, x);
  }
  if (keeps.counts()) operation.vector("y", false, y);
  operation.vector("y", true, y);
  return operation.submit([=] { dense::multiply_structured<T>(by.value(), a, x.column(), keeps.value(), y.column()); });
}

struct GivenBand {
  cublasOperation_t trans;
  std::int64_t m, n, below, above;
};

template <class T>
CublasResult gbmv(CublasOperation& operation, const GivenBand& given, const T* alpha, Stored<const T> a,
                  const Vector<const T>& x, const T* beta, const Vector<T>& y) {
  operation.choose("operation", given.trans, CUBLAS_OP_C);
  operation.at_least("m", given.m, 0);
  operation.at_least("n", given.n, 0);
  operation.at_least("kl", given.below, 0);
  operation.at_least("ku", given.above, 0);
  if (!operation.failed()) operation.at_least("lda", a.leading, 1 + given.below + given.above);
  const StoredPart part{Storage::band, given.m, given.n, given.below, given.above, a.leading};
  return multiply(
      operation,
      StructuredMatrix<T>{a.at, part, Mirror::none, false, transposes(given.trans), given.trans == CUBLAS_OP_C}, alpha,
      x, beta, y);
}

template <class T>
CublasResult symmetric(CublasOperation& operation, const GivenTriangle& given, bool hermitian, const T* alpha,
                       const T* a, const Vector<const T>& x, const T* beta, const Vector<T>& y) {
  check(operation, given);
  const StructuredMatrix<T> matrix{a, given.stored(), hermitian ? Mirror::hermitian : Mirror::symmetric};
  return multiply(operation, matrix, alpha, x, beta, y);
}

/// x = A * x, or that of the inverse.
template <class T>
CublasResult triangular(CublasOperation& operation, const GivenTriangle& given, cublasOperation_t trans,
                        cublasDiagType_t diagonal, bool solves, const T* a, const Vector<T>& x) {
  check(operation, given);
  operation.choose("operation", trans, CUBLAS_OP_C);
  operation.choose("diagonal type", diagonal, CUBLAS_DIAG_UNIT);
  if (operation.failed() || given.n == 0) return operation.result();
  const bool unit = diagonal == CUBLAS_DIAG_UNIT;
  const StructuredMatrix<T> matrix{a, given.stored(), Mirror::none, unit, transposes(trans), trans == CUBLAS_OP_C};
  add_part(operation, "A", false, a, matrix.part, unit);
  for (const bool writes : {false, true}) operation.vector("x", writes, x);
  return operation.submit([=] {
    if (solves) return dense::solve_triangle<T>(matrix, x.column());
    dense::multiply_triangle_by<T>(matrix, x.column());
  });
}

/// A = alpha * x * x' + A.
template <class T, class R>
CublasResult update(CublasOperation& operation, const GivenTriangle& given, bool hermitian, const R* alpha,
                    const Vector<const T>& x, T* a) {
  check(operation, given);
  const Factor<R> by = operation.factor("alpha", alpha);
  if (operation.failed() || given.n == 0 || !by.counts()) return operation.result();
  const StoredPart part = given.stored();
  operation.vector("x", false, x);
  for (const bool writes : {false, true}) add_part(operation, "A", writes, a, part);
  return operation.submit(
      [=] { dense::add_products<T>(T(by.value()), T{}, false, x.column(), x.column(), a, part, hermitian); });
}

/// A = alpha * x * y' + alpha' * y * x' + A.
template <class T>
CublasResult update_of_two(CublasOperation& operation, const GivenTriangle& given, bool hermitian, const T* alpha,
                           const Vector<const T>& x, const Vector<const T>& y, T* a) {
  check(operation, given);
  const Factor<T> by = operation.factor("alpha", alpha);
  if (operation.failed() || given.n == 0 || !by.counts()) return operation.result();
  const StoredPart part = given.stored();
  operation.vector("x", false, x);
  operation.vector("y", false, y);
  for (const bool writes : {false, true}) add_part(operation, "A", writes, a, part);
  return operation.submit([=] {
    const T factor = by.value();
    const T other = hermitian ? dense::conjugate(factor) : factor;
    dense::add_products<T>(factor, other, true, x.column(), y.column(), a, part, hermitian);
  });
}

template <class T>
CublasResult copy_triangle(CublasOperation& operation, const GivenTriangle& from, const char* from_name,
                           const T* source, const GivenTriangle& to, const char* to_name, T* destination) {
  check(operation, from);
  check(operation, to);
  if (operation.failed() || from.n == 0) return operation.result();
  add_part(operation, from_name, false, source, from.stored());
  add_part(operation, to_name, true, destination, to.stored());
  return operation.submit([=, part = from.stored(), other = to.stored()] {
    for (std::ptrdiff_t j = 0; j < part.columns; ++j) {
      for (std::ptrdiff_t i = part.first_row(j); i < part.end_row(j); ++i) {
        destination[other.offset(i, j)] = source[part.offset(i, j)];
      }
    }
  });
}

}  // namespace
}  // namespace warpfiber::cuda_libraries

using namespace warpfiber::cuda_libraries;

namespace {

GivenTriangle full(cublasFillMode_t part, std::int64_t n, std::int64_t leading) {
  return {part, warpfiber::dense::Storage::full, n, 0, leading};
}
GivenTriangle band(cublasFillMode_t part, std::int64_t n, std::int64_t diagonals, std::int64_t leading) {
  return {part, warpfiber::dense::Storage::band, n, diagonals, leading};
}
GivenTriangle packed(cublasFillMode_t part, std::int64_t n) {
  return {part, warpfiber::dense::Storage::packed, n, 0, 0};
}

}  // namespace

extern "C" {

// clang-format off
#define WARPFIBER_BANDS(t, T, Int, wide)                                                                               \
  cublasStatus_t cublas##t##gbmv##wide(cublasHandle_t handle, cublasOperation_t trans, Int m, Int n, Int kl, Int ku,   \
                                 const T* alpha, const T* A, Int lda, const T* x, Int incx, const T* beta, T* y,       \
                                 Int incy) {                                                                           \
    return cublas_operation(__func__, handle, [&](CublasOperation& operation) {                                        \
      return gbmv(operation, {trans, m, n, kl, ku}, numbers(alpha), stored(A, lda),                                    \
                  vector_of(operation, "incx", x, transposes(trans) ? m : n, incx), numbers(beta),                     \
                  vector_of(operation, "incy", y, transposes(trans) ? n : m, incy));                                   \
    });                                                                                                                \
  }
WARPFIBER_CUBLAS_ALL_BOTH(WARPFIBER_BANDS)

#define WARPFIBER_TRIANGLE(t, T, name, solves, Int, wide)                                                              \
  cublasStatus_t cublas##t##tb##name##wide(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans,      \
                                     cublasDiagType_t diag, Int n, Int k, const T* A, Int lda, T* x, Int incx) {       \
    return cublas_operation(__func__, handle, [&](CublasOperation& operation) {                                        \
      return triangular(operation, band(uplo, n, k, lda), trans, diag, solves, numbers(A),                             \
                        vector_of(operation, "incx", x, n, incx));                                                     \
    });                                                                                                                \
  }                                                                                                                    \
  cublasStatus_t cublas##t##tp##name##wide(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans,      \
                                     cublasDiagType_t diag, Int n, const T* AP, T* x, Int incx) {                      \
    return cublas_operation(__func__, handle, [&](CublasOperation& operation) {                                        \
      return triangular(operation, packed(uplo, n), trans, diag, solves, numbers(AP),                                  \
                        vector_of(operation, "incx", x, n, incx));                                                     \
    });                                                                                                                \
  }
#define WARPFIBER_TRIANGLES(t, T, Int, wide) \
  WARPFIBER_TRIANGLE(t, T, mv, false, Int, wide) WARPFIBER_TRIANGLE(t, T, sv, true, Int, wide)
WARPFIBER_CUBLAS_ALL_BOTH(WARPFIBER_TRIANGLES)

#define WARPFIBER_SYMMETRIC(t, name, T, hermitian, Int, wide)                                                          \
  cublasStatus_t cublas##t##name##bmv##wide(cublasHandle_t handle, cublasFillMode_t uplo, Int n, Int k, const T* alpha, \
                                      const T* A, Int lda, const T* x, Int incx, const T* beta, T* y, Int incy) {      \
    return cublas_operation(__func__, handle, [&](CublasOperation& operation) {                                        \
      return symmetric(operation, band(uplo, n, k, lda), hermitian, numbers(alpha), numbers(A),                        \
                       vector_of(operation, "incx", x, n, incx), numbers(beta),                                        \
                       vector_of(operation, "incy", y, n, incy));                                                      \
    });                                                                                                                \
  }                                                                                                                    \
  cublasStatus_t cublas##t##name##pmv##wide(cublasHandle_t handle, cublasFillMode_t uplo, Int n, const T* alpha,       \
                                      const T* AP, const T* x, Int incx, const T* beta, T* y, Int incy) {              \
    return cublas_operation(__func__, handle, [&](CublasOperation& operation) {                                        \
      return symmetric(operation, packed(uplo, n), hermitian, numbers(alpha), numbers(AP),                             \
                       vector_of(operation, "incx", x, n, incx), numbers(beta),                                        \
                       vector_of(operation, "incy", y, n, incy));                                                      \
    });                                                                                                                \
  }
WARPFIBER_CUBLAS_BOTH(WARPFIBER_SYMMETRIC, S, s, float, false)
WARPFIBER_CUBLAS_BOTH(WARPFIBER_SYMMETRIC, D, s, double, false)
WARPFIBER_CUBLAS_BOTH(WARPFIBER_SYMMETRIC, C, h, float2, true)
WARPFIBER_CUBLAS_BOTH(WARPFIBER_SYMMETRIC, Z, h, double2, true)

#define WARPFIBER_UPDATE(function, T, R, hermitian, Int, wide)                                                         \
  cublasStatus_t cublas##function##wide(cublasHandle_t handle, cublasFillMode_t uplo, Int n, const R* alpha, const T* x, \
                                  Int incx, T* A, Int lda) {                                                           \
    return cublas_operation(__func__, handle, [&](CublasOperation& operation) {                                        \
      return update(operation, full(uplo, n, lda), hermitian, numbers(alpha),                                          \
                    vector_of(operation, "incx", x, n, incx), numbers(A));                                             \
    });                                                                                                                \
  }
#define WARPFIBER_UPDATE_OF_TWO(function, T, hermitian, Int, wide)                                                     \
  cublasStatus_t cublas##function##wide(cublasHandle_t handle, cublasFillMode_t uplo, Int n, const T* alpha, const T* x, \
                                  Int incx, const T* y, Int incy, T* A, Int lda) {                                     \
    return cublas_operation(__func__, handle, [&](CublasOperation& operation) {                                        \
      return update_of_two(operation, full(uplo, n, lda), hermitian, numbers(alpha),                                   \
                           vector_of(operation, "incx", x, n, incx), vector_of(operation, "incy", y, n, incy),         \
                           numbers(A));                                                                                \
    });                                                                                                                \
  }
#define WARPFIBER_PACKED_UPDATES(t, name, T, R, hermitian, Int, wide)                                                  \
  cublasStatus_t cublas##t##name##wide(cublasHandle_t handle, cublasFillMode_t uplo, Int n, const R* alpha, const T* x, \
                                 Int incx, T* AP) {                                                                    \
    return cublas_operation(__func__, handle, [&](CublasOperation& operation) {                                        \
      return update(operation, packed(uplo, n), hermitian, numbers(alpha), vector_of(operation, "incx", x, n, incx),   \
                    numbers(AP));                                                                                      \
    });                                                                                                                \
  }                                                                                                                    \
  cublasStatus_t cublas##t##name##2##wide(cublasHandle_t handle, cublasFillMode_t uplo, Int n, const T* alpha, const T* x, \
                                    Int incx, const T* y, Int incy, T* AP) {                                           \
    return cublas_operation(__func__, handle, [&](CublasOperation& operation) {                                        \
      return update_of_two(operation, packed(uplo, n), hermitian, numbers(alpha),                                      \
                           vector_of(operation, "incx", x, n, incx), vector_of(operation, "incy", y, n, incy),         \
                           numbers(AP));                                                                               \
    });                                                                                                                \
  }
#define WARPFIBER_COPIES(t, T)                                                                                         \
  cublasStatus_t cublas##t##tpttr(cublasHandle_t handle, cublasFillMode_t uplo, int n, const T* AP, T* A, int lda) {   \
    return cublas_operation(__func__, handle, [&](CublasOperation& operation) {                                        \
      return copy_triangle(operation, packed(uplo, n), "AP", numbers(AP), full(uplo, n, lda), "A", numbers(A));        \
    });                                                                                                                \
  }                                                                                                                    \
  cublasStatus_t cublas##t##trttp(cublasHandle_t handle, cublasFillMode_t uplo, int n, const T* A, int lda, T* AP) {   \
    return cublas_operation(__func__, handle, [&](CublasOperation& operation) {                                        \
      return copy_triangle(operation, full(uplo, n, lda), "A", numbers(A), packed(uplo, n), "AP", numbers(AP));        \
    });                                                                                                                \
  }
// clang-format on

WARPFIBER_CUBLAS_SYR(WARPFIBER_UPDATE)
WARPFIBER_CUBLAS_SYR2(WARPFIBER_UPDATE_OF_TWO)
WARPFIBER_CUBLAS_BOTH(WARPFIBER_PACKED_UPDATES, S, spr, float, float, false)
WARPFIBER_CUBLAS_BOTH(WARPFIBER_PACKED_UPDATES, D, spr, double, double, false)
WARPFIBER_CUBLAS_BOTH(WARPFIBER_PACKED_UPDATES, C, hpr, float2, float, true)
WARPFIBER_CUBLAS_BOTH(WARPFIBER_PACKED_UPDATES, Z, hpr, double2, double, true)
WARPFIBER_CUBLAS_ALL_TYPES(WARPFIBER_COPIES)

}  // extern "C"

#undef WARPFIBER_SYMMETRIC
#undef WARPFIBER_UPDATE
#undef WARPFIBER_COPIES
