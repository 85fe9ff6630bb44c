// SPDX-License-Identifier: Apache-2.0
// Prints what cuBLAS makes of batches of products and systems (README.md).
#include <cublas_v2.h>

#include <type_traits>

#include "recorded.h"

namespace {

cublasHandle_t handle;

template <class T>
T scalar(double real, double imaginary = 0) {
  if constexpr (std::is_arithmetic_v<T>)
    return T(real);
  else
    return T{decltype(T::x)(real), decltype(T::x)(imaginary)};
}

/// Three matrices of order 4 in a row, and their addresses.
template <class T>
struct Batch {
  DeviceArray<T> all;
  DeviceArray<T*> at{3};
  explicit Batch(int seed) : all(48, seed) {
    all.make_regular();
    T* const places[] = {all, all + 16, all + 32};
    cudaMemcpy(at, places, sizeof places, cudaMemcpyHostToDevice);
  }
};

#define BATCHES(t, T)                                                                                                  \
  {                                                                                                                    \
    Batch<T> a(500), b(600), c(700);                                                                                   \
    DeviceArray<int> pivots(12), info(3);                                                                              \
    T one = scalar<T>(1), none = scalar<T>(0);                                                                         \
    int solved = -1;                                                                                                   \
    show(#t "gemmBatched",                                                                                             \
         cublas##t##gemmBatched(handle, CUBLAS_OP_N, CUBLAS_OP_T, 4, 4, 4, &one, a.at, 4, b.at, 4, &none, c.at, 4, 3), \
         c.all);                                                                                                       \
    show(#t "gemmStridedBatched",                                                                                      \
         cublas##t##gemmStridedBatched(handle, CUBLAS_OP_T, CUBLAS_OP_N, 4, 4, 4, &one, a.all, 4, 16, b.all, 4, 16,    \
                                       &none, c.all, 4, 16, 3),                                                        \
         c.all);                                                                                                       \
    show(#t "trsmBatched",                                                                                             \
         cublas##t##trsmBatched(handle, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, CUBLAS_DIAG_UNIT, 4, 4, \
                                &one, a.at, 4, c.at, 4, 3),                                                            \
         c.all);                                                                                                       \
    show(#t "matinvBatched", cublas##t##matinvBatched(handle, 4, a.at, 4, c.at, 4, info, 3), c.all);                   \
    show(#t "getrfBatched", cublas##t##getrfBatched(handle, 4, a.at, 4, pivots, info, 3), a.all);                      \
    show(#t "getrfBatched pivots", CUBLAS_STATUS_SUCCESS, pivots);                                                     \
    show(#t "getrfBatched info", CUBLAS_STATUS_SUCCESS, info);                                                         \
    show(#t "getrsBatched", cublas##t##getrsBatched(handle, CUBLAS_OP_N, 4, 4, a.at, 4, pivots, b.at, 4, &solved, 3),  \
         b.all);                                                                                                       \
    show(#t "getrsBatched T",                                                                                          \
         cublas##t##getrsBatched(handle, CUBLAS_OP_C, 4, 4, a.at, 4, pivots, b.at, 4, &solved, 3), b.all);             \
    show(#t "getriBatched", cublas##t##getriBatched(handle, 4, a.at, 4, pivots, b.at, 4, info, 3), b.all);             \
    cudaMemset(a.all, 0, 16 * sizeof(T));                                                                              \
    show(#t "matinvBatched", cublas##t##matinvBatched(handle, 4, a.at, 4, c.at, 4, info, 3), info);                    \
    show(#t "getrfBatched", cublas##t##getrfBatched(handle, 4, a.at, 4, nullptr, info, 3), a.all);                     \
    show(#t "getrfBatched zeros", CUBLAS_STATUS_SUCCESS, info);                                                        \
    show(#t "getriBatched zeros", cublas##t##getriBatched(handle, 4, a.at, 4, nullptr, c.at, 4, info, 3), info);       \
    say(#t "getrsBatched n",                                                                                           \
        cublas##t##getrsBatched(handle, CUBLAS_OP_N, -1, 4, a.at, 4, pivots, b.at, 4, &solved, 3), solved);            \
    say(#t "getrsBatched lda",                                                                                         \
        cublas##t##getrsBatched(handle, CUBLAS_OP_N, 4, 4, a.at, 3, pivots, b.at, 4, &solved, 3), solved);             \
    say(#t "getrfBatched n", cublas##t##getrfBatched(handle, -1, a.at, 4, pivots, info, 3), 0);                        \
    say(#t "matinvBatched 33", cublas##t##matinvBatched(handle, 33, a.at, 33, c.at, 33, info, 3), 0);                  \
    say(#t "getrfBatched lda", cublas##t##getrfBatched(handle, 4, a.at, 3, pivots, info, 3), 0);                       \
  }

}  // namespace

int main() {
  cublasCreate(&handle);
  BATCHES(S, float)
  BATCHES(D, double)
  BATCHES(C, float2)
  BATCHES(Z, double2)
  cublasDestroy(handle);
}
