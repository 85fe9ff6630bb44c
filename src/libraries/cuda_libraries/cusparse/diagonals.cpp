// SPDX-License-Identifier: Apache-2.0
// Systems of three and five diagonals. Those that a function may not exchange rows of are solved in their order.
#include <algorithm>

#include "cuda_libraries/cusparse/arrays.hpp"

namespace warpfiber::cuda_libraries {
namespace {

using numerics::Diagonals;

struct DiagonalArrays {
  const void* second_lower = nullptr;
  const void* lower = nullptr;
  const void* middle = nullptr;
  const void* upper = nullptr;
  const void* second_upper = nullptr;
};

/// How many systems there are, and how many elements lie from one to the next: of the diagonals, 0 where all systems
/// have the same, and of the right sides.
struct Systems {
  int count;
  std::int64_t diagonals;
  std::int64_t right_sides;
};

template <class T>
Diagonals diagonals_of(const DiagonalArrays& arrays, int size, std::int64_t step) {
  return {kind_of_array<T>(), size,          step,         arrays.second_lower,
          arrays.lower,       arrays.middle, arrays.upper, arrays.second_upper};
}

/// Interleaved systems lie across each other: all of the arrays is read.
template <class T>
SparseResult solve(SparseOperation& operation, const Diagonals& diagonals, const Systems& systems, T* x,
                   bool exchange) {
  if (operation.failed()) return operation.result();
  const auto length = [&](std::int64_t stride) {
    return std::max<std::int64_t>(diagonals.size - 1, 0) * diagonals.step + (systems.count - 1) * stride + 1;
  };
  for (const void* const diagonal :
       {diagonals.second_lower, diagonals.lower, diagonals.middle, diagonals.upper, diagonals.second_upper}) {
    if (diagonal != nullptr) operation.line(false, diagonal, length(systems.diagonals), sizeof(T));
  }
  if (systems.count == 0 || diagonals.size == 0) return operation.result();
  for (const bool writes : {false, true}) {
    if (diagonals.step == 1) {
      for (int i = 0; i < systems.count; ++i) {
        operation.line(writes, x + i * systems.right_sides, diagonals.size, sizeof(T));
      }
    } else {
      operation.line(writes, x, length(systems.right_sides), sizeof(T));
    }
  }
  return operation.submit([=] {
    for (int i = 0; i < systems.count; ++i) {
      numerics::solve_diagonals(diagonals, i * systems.diagonals, x, i * systems.right_sides, exchange);
    }
  });
}

void check_columns(SparseOperation& operation, int m, int n, const DiagonalArrays& arrays, const void* b, int ldb) {
  operation.refuse_unless(m >= 3, ReasonKind::sparse_too_few_rows);
  need_sizes(operation, n);
  operation.refuse_unless(ldb >= std::max(1, m), ReasonKind::sparse_leading_too_small);
  operation.need(arrays.lower, arrays.middle, arrays.upper, b);
}

void check_batch(SparseOperation& operation, int m, const DiagonalArrays& arrays, const void* x, int count,
                 int stride) {
  operation.refuse_unless(m >= 3, ReasonKind::sparse_too_few_rows);
  need_sizes(operation, count);
  operation.refuse_unless(stride >= m, ReasonKind::sparse_stride_too_small);
  operation.need(arrays.lower, arrays.middle, arrays.upper, x);
}

void check_interleaved(SparseOperation& operation, int algorithm, int last, int m, const DiagonalArrays& arrays,
                       const void* x, int count) {
  operation.refuse_unless(algorithm >= 0 && algorithm <= last, ReasonKind::sparse_algorithm_unknown);
  need_sizes(operation, m, count);
  operation.need(arrays.lower, arrays.middle, arrays.upper, x);
}

}  // namespace
}  // namespace warpfiber::cuda_libraries

using namespace warpfiber::cuda_libraries;

extern "C" {

#define WARPFIBER_COLUMNS(function, T, exchange)                                                                   \
  cusparseStatus_t cusparse##function##_bufferSizeExt(cusparseHandle_t handle, int, int, const T* dl, const T* d,  \
                                                      const T* du, const T* B, int, size_t* size) {                \
    return array_operation(__func__, handle, [&](SparseOperation& operation) {                                     \
      operation.need(dl, d, du, B);                                                                                \
      return put_buffer_size(operation, size);                                                                     \
    });                                                                                                            \
  }                                                                                                                \
  cusparseStatus_t cusparse##function(cusparseHandle_t handle, int m, int n, const T* dl, const T* d, const T* du, \
                                      T* B, int ldb, void*) {                                                      \
    return array_operation(__func__, handle, [&](SparseOperation& operation) {                                     \
      check_columns(operation, m, n, {nullptr, dl, d, du}, B, ldb);                                                \
      return solve(operation, diagonals_of<T>({nullptr, dl, d, du}, m, 1), {n, 0, ldb}, B, exchange);              \
    });                                                                                                            \
  }
#define WARPFIBER_DIAGONALS(t, T)                                                                                      \
  WARPFIBER_COLUMNS(t##gtsv2, T, true)                                                                                 \
  WARPFIBER_COLUMNS(t##gtsv2_nopivot, T, false)                                                                        \
  cusparseStatus_t cusparse##t##gtsv2StridedBatch_bufferSizeExt(cusparseHandle_t handle, int m, const T* dl,           \
                                                                const T* d, const T* du, const T* x, int count,        \
                                                                int stride, size_t* size) {                            \
    return array_operation(__func__, handle, [&](SparseOperation& operation) {                                         \
      check_batch(operation, m, {nullptr, dl, d, du}, x, count, stride);                                               \
      return put_buffer_size(operation, size);                                                                         \
    });                                                                                                                \
  }                                                                                                                    \
  cusparseStatus_t cusparse##t##gtsv2StridedBatch(cusparseHandle_t handle, int m, const T* dl, const T* d,             \
                                                  const T* du, T* x, int count, int stride, void*) {                   \
    return array_operation(__func__, handle, [&](SparseOperation& operation) {                                         \
      check_batch(operation, m, {nullptr, dl, d, du}, x, count, stride);                                               \
      return solve(operation, diagonals_of<T>({nullptr, dl, d, du}, m, 1), {count, stride, stride}, x, false);         \
    });                                                                                                                \
  }                                                                                                                    \
  cusparseStatus_t cusparse##t##gtsvInterleavedBatch_bufferSizeExt(cusparseHandle_t handle, int algorithm, int m,      \
                                                                   const T* dl, const T* d, const T* du, const T* x,   \
                                                                   int count, size_t* size) {                          \
    return array_operation(__func__, handle, [&](SparseOperation& operation) {                                         \
      check_interleaved(operation, algorithm, 2, m, {nullptr, dl, d, du}, x, count);                                   \
      return put_buffer_size(operation, size);                                                                         \
    });                                                                                                                \
  }                                                                                                                    \
  cusparseStatus_t cusparse##t##gtsvInterleavedBatch(cusparseHandle_t handle, int algorithm, int m, T* dl, T* d,       \
                                                     T* du, T* x, int count, void*) {                                  \
    return array_operation(__func__, handle, [&](SparseOperation& operation) {                                         \
      check_interleaved(operation, algorithm, 2, m, {nullptr, dl, d, du}, x, count);                                   \
      return solve(operation, diagonals_of<T>({nullptr, dl, d, du}, m, count), {count, 1, 1}, x, algorithm != 0);      \
    });                                                                                                                \
  }                                                                                                                    \
  cusparseStatus_t cusparse##t##gpsvInterleavedBatch_bufferSizeExt(cusparseHandle_t handle, int algorithm, int m,      \
                                                                   const T* ds, const T* dl, const T* d, const T* du,  \
                                                                   const T* dw, const T* x, int count, size_t* size) { \
    return array_operation(__func__, handle, [&](SparseOperation& operation) {                                         \
      check_interleaved(operation, algorithm, 0, m, {ds, dl, d, du, dw}, x, count);                                    \
      operation.need(ds, dw);                                                                                          \
      return put_buffer_size(operation, size);                                                                         \
    });                                                                                                                \
  }                                                                                                                    \
  cusparseStatus_t cusparse##t##gpsvInterleavedBatch(cusparseHandle_t handle, int algorithm, int m, T* ds, T* dl,      \
                                                     T* d, T* du, T* dw, T* x, int count, void*) {                     \
    return array_operation(__func__, handle, [&](SparseOperation& operation) {                                         \
      check_interleaved(operation, algorithm, 0, m, {ds, dl, d, du, dw}, x, count);                                    \
      operation.need(ds, dw);                                                                                          \
      return solve(operation, diagonals_of<T>({ds, dl, d, du, dw}, m, count), {count, 1, 1}, x, true);                 \
    });                                                                                                                \
  }
WARPFIBER_DIAGONALS(S, float)
WARPFIBER_DIAGONALS(D, double)
WARPFIBER_DIAGONALS(C, float2)
WARPFIBER_DIAGONALS(Z, double2)
#undef WARPFIBER_DIAGONALS
#undef WARPFIBER_COLUMNS

}  // extern "C"
