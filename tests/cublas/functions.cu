// SPDX-License-Identifier: Apache-2.0
// Prints what cuBLAS makes of given numbers, and what calls with mistakes return (README.md).
#include <cublas_v2.h>

#include <complex>
#include <type_traits>
#include <vector>

#include "recorded.h"

namespace {

constexpr int kN = 5, kM = 4, kK = 7, kLeading = 8;

cublasHandle_t handle;

/// Prints the lines of all functions that one type has.
#define WITH_REAL(call) \
  do {                  \
    call(S, float);     \
    call(D, double);    \
  } while (0)
#define WITH_COMPLEX(call) \
  do {                     \
    call(C, float2);       \
    call(Z, double2);      \
  } while (0)
#define WITH_TWO(call) \
  do {                 \
    call(S, float);    \
    call(Z, double2);  \
  } while (0)
#define WITH_ALL(call)  \
  do {                  \
    WITH_REAL(call);    \
    WITH_COMPLEX(call); \
  } while (0)

template <class T>
T scalar(double real, double imaginary = 0) {
  if constexpr (std::is_arithmetic_v<T>)
    return T(real);
  else
    return T{decltype(T::x)(real), decltype(T::x)(imaginary)};
}

template <class T>
struct Data {
  DeviceArray<T> a{64}, b{64, 100}, c{64, 200}, x{40, 300}, y{40, 400};
  T alpha = scalar<T>(1.5, 0.5), beta = scalar<T>(-0.75, 0.25);
};

#define LEVEL_1(t, T)                                                             \
  {                                                                               \
    Data<T> d;                                                                    \
    show(#t "axpy", cublas##t##axpy(handle, kK, &d.alpha, d.x, 2, d.y, -3), d.y); \
    show(#t "scal", cublas##t##scal(handle, kK, &d.alpha, d.x, 2), d.x);          \
    show(#t "copy", cublas##t##copy(handle, kK, d.x, -1, d.c, 3), d.c);           \
    show(#t "swap", cublas##t##swap(handle, kK, d.x, 1, d.y, 2), d.x);            \
  }
#define REDUCTIONS(t, i, T, R)                                                   \
  {                                                                              \
    Data<T> d;                                                                   \
    R result;                                                                    \
    int index = -1;                                                              \
    say(#t "nrm2", cublas##t##nrm2(handle, 20, d.x, 2, &result), result);        \
    say(#t "asum", cublas##t##asum(handle, 20, d.x, 2, &result), result);        \
    say("I" #i "amax", cublasI##i##amax(handle, 20, d.x, 2, &index), index);     \
    say("I" #i "amin", cublasI##i##amin(handle, 20, d.x, 2, &index), index);     \
    say("I" #i "amax none", cublasI##i##amax(handle, 0, d.x, 1, &index), index); \
    say(#t "nrm2 step 0", cublas##t##nrm2(handle, 3, d.x, 0, &result), result);  \
  }
#define DOT(function, T)                                                            \
  {                                                                                 \
    Data<T> d;                                                                      \
    T result{};                                                                     \
    say(#function, cublas##function(handle, 20, d.x, 2, d.y, -1, &result), result); \
  }

void vectors() {
  WITH_ALL(LEVEL_1);
  REDUCTIONS(S, s, float, float)
  REDUCTIONS(D, d, double, double)
  REDUCTIONS(Sc, c, float2, float)
  REDUCTIONS(Dz, z, double2, double)
  DOT(Sdot, float)
  DOT(Ddot, double)
  DOT(Cdotu, float2)
  DOT(Cdotc, float2)
  DOT(Zdotu, double2)
  DOT(Zdotc, double2)
}

#define ROTATIONS(t, T)                                                                                         \
  {                                                                                                             \
    Data<T> d;                                                                                                  \
    const T c = T(0.8), s = T(0.6);                                                                             \
    show(#t "rot", cublas##t##rot(handle, kK, d.x, 1, d.y, 2, &c, &s), d.x);                                    \
    T a = 3, b = -4, cosine, sine;                                                                              \
    say(#t "rotg", cublas##t##rotg(handle, &a, &b, &cosine, &sine), a, b, cosine, sine);                        \
    a = 0, b = 0;                                                                                               \
    say(#t "rotg zero", cublas##t##rotg(handle, &a, &b, &cosine, &sine), a, b, cosine, sine);                   \
    T d1 = T(0.5), d2 = T(2), x1 = T(3), y1 = T(0.25), p[5] = {};                                               \
    say(#t "rotmg", cublas##t##rotmg(handle, &d1, &d2, &x1, &y1, p), d1, d2, x1, p[0], p[1], p[2], p[3], p[4]); \
    show(#t "rotm", cublas##t##rotm(handle, kK, d.x, 1, d.y, 2, p), d.x);                                       \
  }

template <class Call>
void for_each_triangle(Call call) {
  for (const cublasFillMode_t part : {CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER})
    for (const cublasOperation_t op : {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C})
      for (const cublasDiagType_t diag : {CUBLAS_DIAG_NON_UNIT, CUBLAS_DIAG_UNIT}) call(part, op, diag);
}

#define GENERAL(t, T)                                                                                           \
  for (const cublasOperation_t op : {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C}) {                                  \
    Data<T> d;                                                                                                  \
    show(#t "gemv", cublas##t##gemv(handle, op, kM, kN, &d.alpha, d.a, 8, d.x, 2, &d.beta, d.y, 1), d.y);       \
    show(#t "gbmv", cublas##t##gbmv(handle, op, kM, kN, 1, 2, &d.alpha, d.b, 8, d.x, 1, &d.beta, d.y, 1), d.y); \
  }
#define TRIANGULAR(t, T)                                                                          \
  for_each_triangle([](cublasFillMode_t part, cublasOperation_t op, cublasDiagType_t diag) {      \
    Data<T> d;                                                                                    \
    d.a.make_dominant(kLeading);                                                                  \
    show(#t "trmv", cublas##t##trmv(handle, part, op, diag, kN, d.a, kLeading, d.x, 2), d.x);     \
    show(#t "trsv", cublas##t##trsv(handle, part, op, diag, kN, d.a, kLeading, d.x, 2), d.x);     \
    show(#t "tbmv", cublas##t##tbmv(handle, part, op, diag, kN, 2, d.b, kLeading, d.y, 1), d.y);  \
    show(#t "tpmv", cublas##t##tpmv(handle, part, op, diag, kN, d.b, d.y, 1), d.y);               \
    d.b.make_large();                                                                             \
    show(#t "tbsv", cublas##t##tbsv(handle, part, op, diag, kN, 2, d.b, kLeading, d.y, -1), d.y); \
    show(#t "tpsv", cublas##t##tpsv(handle, part, op, diag, kN, d.b, d.y, 1), d.y);               \
  });
#define SYMMETRIC(t, T)                                                                                 \
  for (const cublasFillMode_t part : {CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER}) {                \
    Data<T> d;                                                                                          \
    show(#t "symv", cublas##t##symv(handle, part, kN, &d.alpha, d.a, 8, d.x, 1, &d.beta, d.y, 2), d.y); \
    show(#t "syr", cublas##t##syr(handle, part, kN, &d.alpha, d.x, 2, d.c, 8), d.c);                    \
    show(#t "syr2", cublas##t##syr2(handle, part, kN, &d.alpha, d.x, 2, d.y, 1, d.c, 8), d.c);          \
  }
#define PACKED(t, T)                                                                                       \
  for (const cublasFillMode_t part : {CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER}) {                   \
    Data<T> d;                                                                                             \
    show(#t "sbmv", cublas##t##sbmv(handle, part, kN, 2, &d.alpha, d.a, 8, d.x, 1, &d.beta, d.y, 2), d.y); \
    show(#t "spmv", cublas##t##spmv(handle, part, kN, &d.alpha, d.a, d.x, 1, &d.beta, d.y, 2), d.y);       \
    show(#t "spr", cublas##t##spr(handle, part, kN, &d.alpha, d.x, 2, d.c), d.c);                          \
    show(#t "spr2", cublas##t##spr2(handle, part, kN, &d.alpha, d.x, 2, d.y, 1, d.c), d.c);                \
    show(#t "tpttr", cublas##t##tpttr(handle, part, kN, d.a, d.b, 8), d.b);                                \
    show(#t "trttp", cublas##t##trttp(handle, part, kN, d.c, 8, d.a), d.a);                                \
  }
#define HERMITIAN(t, T)                                                                                             \
  for (const cublasFillMode_t part : {CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER}) {                            \
    Data<T> d;                                                                                                      \
    const decltype(T::x) by = 0.5f, keep = 2.0f;                                                                    \
    show(#t "hemv", cublas##t##hemv(handle, part, kN, &d.alpha, d.a, 8, d.x, 1, &d.beta, d.y, 2), d.y);             \
    show(#t "hbmv", cublas##t##hbmv(handle, part, kN, 2, &d.alpha, d.a, 8, d.x, 1, &d.beta, d.y, 2), d.y);          \
    show(#t "hpmv", cublas##t##hpmv(handle, part, kN, &d.alpha, d.a, d.x, 1, &d.beta, d.y, 2), d.y);                \
    show(#t "her", cublas##t##her(handle, part, kN, &by, d.x, 2, d.c, 8), d.c);                                     \
    show(#t "her2", cublas##t##her2(handle, part, kN, &d.alpha, d.x, 2, d.y, 1, d.c, 8), d.c);                      \
    show(#t "hpr", cublas##t##hpr(handle, part, kN, &by, d.x, 2, d.b), d.b);                                        \
    show(#t "hpr2", cublas##t##hpr2(handle, part, kN, &d.alpha, d.x, 2, d.y, 1, d.b), d.b);                         \
    for (const cublasOperation_t op : {CUBLAS_OP_N, CUBLAS_OP_C}) {                                                 \
      show(#t "herk", cublas##t##herk(handle, part, op, kN, kM, &by, d.a, 8, &keep, d.c, 8), d.c);                  \
      show(#t "her2k", cublas##t##her2k(handle, part, op, kN, kM, &d.alpha, d.a, 8, d.b, 8, &keep, d.c, 8), d.c);   \
      show(#t "herkx", cublas##t##herkx(handle, part, op, kN, kM, &d.alpha, d.a, 8, d.b, 8, &keep, d.c, 8), d.c);   \
    }                                                                                                               \
    show(#t "hemm",                                                                                                 \
         cublas##t##hemm(handle, CUBLAS_SIDE_RIGHT, part, kM, kN, &d.alpha, d.a, 8, d.b, 8, &d.beta, d.c, 8), d.c); \
  }
#define UPDATES(t, T)                                                                                               \
  for (const cublasFillMode_t part : {CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER}) {                            \
    Data<T> d;                                                                                                      \
    for (const cublasOperation_t op : {CUBLAS_OP_N, CUBLAS_OP_T}) {                                                 \
      show(#t "syrk", cublas##t##syrk(handle, part, op, kN, kM, &d.alpha, d.a, 8, &d.beta, d.c, 8), d.c);           \
      show(#t "syr2k", cublas##t##syr2k(handle, part, op, kN, kM, &d.alpha, d.a, 8, d.b, 8, &d.beta, d.c, 8), d.c); \
      show(#t "syrkx", cublas##t##syrkx(handle, part, op, kN, kM, &d.alpha, d.a, 8, d.b, 8, &d.beta, d.c, 8), d.c); \
    }                                                                                                               \
    show(#t "symm",                                                                                                 \
         cublas##t##symm(handle, CUBLAS_SIDE_LEFT, part, kM, kN, &d.alpha, d.a, 8, d.b, 8, &d.beta, d.c, 8), d.c);  \
  }
#define SYSTEMS(t, T)                                                                                                \
  for (const cublasSideMode_t side : {CUBLAS_SIDE_LEFT, CUBLAS_SIDE_RIGHT})                                          \
    for_each_triangle([side](cublasFillMode_t part, cublasOperation_t op, cublasDiagType_t diag) {                   \
      Data<T> d;                                                                                                     \
      d.a.make_dominant(kLeading);                                                                                   \
      show(#t "trmm", cublas##t##trmm(handle, side, part, op, diag, kM, kN, &d.alpha, d.a, 8, d.b, 8, d.c, 8), d.c); \
      show(#t "trsm", cublas##t##trsm(handle, side, part, op, diag, kM, kN, &d.alpha, d.a, 8, d.c, 8), d.c);         \
    });
#define PRODUCTS(t, T)                                                                                              \
  for (const cublasOperation_t ta : {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C})                                        \
    for (const cublasOperation_t tb : {CUBLAS_OP_N, CUBLAS_OP_C}) {                                                 \
      Data<T> d;                                                                                                    \
      show(#t "gemm", cublas##t##gemm(handle, ta, tb, kM, kN, kK, &d.alpha, d.a, 8, d.b, 8, &d.beta, d.c, 8), d.c); \
      show(#t "geam", cublas##t##geam(handle, ta, tb, kM, kN, &d.alpha, d.a, 8, &d.beta, d.b, 8, d.c, 8), d.c);     \
      show(#t "dgmm", cublas##t##dgmm(handle, CUBLAS_SIDE_RIGHT, kM, kN, d.a, 8, d.x, 2, d.c, 8), d.c);             \
    }

void matrices() {
  WITH_REAL(ROTATIONS);
  WITH_TWO(GENERAL);
  WITH_TWO(TRIANGULAR);
  WITH_TWO(SYMMETRIC);
  WITH_REAL(PACKED);
  WITH_COMPLEX(HERMITIAN);
  WITH_TWO(UPDATES);
  WITH_TWO(SYSTEMS);
  WITH_ALL(PRODUCTS);
}

}  // namespace

void typed_products(cublasHandle_t handle);
void statuses(cublasHandle_t handle);

int main() {
  cublasCreate(&handle);
  vectors();
  matrices();
  typed_products(handle);
  statuses(handle);
  say("destroy", cublasDestroy(handle), 0);
}
