// SPDX-License-Identifier: Apache-2.0
// Complex numbers as NVIDIA's libraries pass them: float2 and double2 with functions. Division and absolute value scale
// their operands so that nothing overflows in between. C and C++; kernels and host code may call all of them.
#pragma once
#if !defined(WARPFIBER_OWN_OBJECT) && !defined(__CUDACC__)
#pragma GCC system_header
#endif

#define CU_COMPLEX_H_

#include <math.h>
#include <vector_types.h>

#define WARPFIBER_COMPLEX(Complex, Real, s, make)                                                   \
  static inline Real cuCreal##s(Complex x) {                                                        \
    return x.x;                                                                                     \
  }                                                                                                 \
  static inline Real cuCimag##s(Complex x) {                                                        \
    return x.y;                                                                                     \
  }                                                                                                 \
  static inline Complex make(Real real, Real imaginary) {                                           \
    Complex z;                                                                                      \
    z.x = real;                                                                                     \
    z.y = imaginary;                                                                                \
    return z;                                                                                       \
  }                                                                                                 \
  static inline Complex cuConj##s(Complex x) {                                                      \
    return make(x.x, -x.y);                                                                         \
  }                                                                                                 \
  static inline Complex cuCadd##s(Complex x, Complex y) {                                           \
    return make(x.x + y.x, x.y + y.y);                                                              \
  }                                                                                                 \
  static inline Complex cuCsub##s(Complex x, Complex y) {                                           \
    return make(x.x - y.x, x.y - y.y);                                                              \
  }                                                                                                 \
  static inline Complex cuCmul##s(Complex x, Complex y) {                                           \
    return make(x.x * y.x - x.y * y.y, x.x * y.y + x.y * y.x);                                      \
  }                                                                                                 \
  static inline Complex cuCdiv##s(Complex x, Complex y) {                                           \
    const Real scale = 1 / (fabs##s(y.x) + fabs##s(y.y));                                           \
    const Complex a = make(x.x * scale, x.y * scale);                                               \
    const Complex b = make(y.x * scale, y.y * scale);                                               \
    const Real inverse = 1 / (b.x * b.x + b.y * b.y);                                               \
    return make((a.x * b.x + a.y * b.y) * inverse, (a.y * b.x - a.x * b.y) * inverse);              \
  }                                                                                                 \
  static inline Real cuCabs##s(Complex x) {                                                         \
    return hypot##s(x.x, x.y);                                                                      \
  }                                                                                                 \
  /* x * y + d */                                                                                   \
  static inline Complex cuCfma##s(Complex x, Complex y, Complex d) {                                \
    return make(fma##s(-x.y, y.y, fma##s(x.x, y.x, d.x)), fma##s(x.y, y.x, fma##s(x.x, y.y, d.y))); \
  }

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

WARPFIBER_COMPLEX(cuFloatComplex, float, f, make_cuFloatComplex)
WARPFIBER_COMPLEX(cuDoubleComplex, double, , make_cuDoubleComplex)

#undef WARPFIBER_COMPLEX

static inline cuComplex make_cuComplex(float real, float imaginary) {
  return make_cuFloatComplex(real, imaginary);
}
static inline cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex x) {
  return make_cuDoubleComplex((double)x.x, (double)x.y);
}
static inline cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex x) {
  return make_cuFloatComplex((float)x.x, (float)x.y);
}
