// SPDX-License-Identifier: Apache-2.0
// Functions of mathematics whose last bit the C library does not promise. A compiler that knows the argument computes
// them itself, each in its own way, so that two compilations of a file (-fregions) would differ. They have
// -fno-builtin-NAME for these, and the standard library's overloads, which call __builtin_NAME, come to the C library
// here. Included by cuda_runtime.h before everything else.
#pragma once

#define WARPFIBER_CALLED(function, ...) \
  (__builtin_is_constant_evaluated() ? __builtin_##function(__VA_ARGS__) : ::function(__VA_ARGS__))

#define __builtin_acos(x) WARPFIBER_CALLED(acos, x)
#define __builtin_acosf(x) WARPFIBER_CALLED(acosf, x)
#define __builtin_acosh(x) WARPFIBER_CALLED(acosh, x)
#define __builtin_acoshf(x) WARPFIBER_CALLED(acoshf, x)
#define __builtin_asin(x) WARPFIBER_CALLED(asin, x)
#define __builtin_asinf(x) WARPFIBER_CALLED(asinf, x)
#define __builtin_asinh(x) WARPFIBER_CALLED(asinh, x)
#define __builtin_asinhf(x) WARPFIBER_CALLED(asinhf, x)
#define __builtin_atan(x) WARPFIBER_CALLED(atan, x)
#define __builtin_atanf(x) WARPFIBER_CALLED(atanf, x)
#define __builtin_atanh(x) WARPFIBER_CALLED(atanh, x)
#define __builtin_atanhf(x) WARPFIBER_CALLED(atanhf, x)
#define __builtin_cbrt(x) WARPFIBER_CALLED(cbrt, x)
#define __builtin_cbrtf(x) WARPFIBER_CALLED(cbrtf, x)
#define __builtin_cos(x) WARPFIBER_CALLED(cos, x)
#define __builtin_cosf(x) WARPFIBER_CALLED(cosf, x)
#define __builtin_cosh(x) WARPFIBER_CALLED(cosh, x)
#define __builtin_coshf(x) WARPFIBER_CALLED(coshf, x)
#define __builtin_erf(x) WARPFIBER_CALLED(erf, x)
#define __builtin_erff(x) WARPFIBER_CALLED(erff, x)
#define __builtin_erfc(x) WARPFIBER_CALLED(erfc, x)
#define __builtin_erfcf(x) WARPFIBER_CALLED(erfcf, x)
#define __builtin_exp(x) WARPFIBER_CALLED(exp, x)
#define __builtin_expf(x) WARPFIBER_CALLED(expf, x)
#define __builtin_exp2(x) WARPFIBER_CALLED(exp2, x)
#define __builtin_exp2f(x) WARPFIBER_CALLED(exp2f, x)
#define __builtin_expm1(x) WARPFIBER_CALLED(expm1, x)
#define __builtin_expm1f(x) WARPFIBER_CALLED(expm1f, x)
#define __builtin_log(x) WARPFIBER_CALLED(log, x)
#define __builtin_logf(x) WARPFIBER_CALLED(logf, x)
#define __builtin_log10(x) WARPFIBER_CALLED(log10, x)
#define __builtin_log10f(x) WARPFIBER_CALLED(log10f, x)
#define __builtin_log1p(x) WARPFIBER_CALLED(log1p, x)
#define __builtin_log1pf(x) WARPFIBER_CALLED(log1pf, x)
#define __builtin_log2(x) WARPFIBER_CALLED(log2, x)
#define __builtin_log2f(x) WARPFIBER_CALLED(log2f, x)
#define __builtin_sin(x) WARPFIBER_CALLED(sin, x)
#define __builtin_sinf(x) WARPFIBER_CALLED(sinf, x)
#define __builtin_sinh(x) WARPFIBER_CALLED(sinh, x)
#define __builtin_sinhf(x) WARPFIBER_CALLED(sinhf, x)
#define __builtin_tan(x) WARPFIBER_CALLED(tan, x)
#define __builtin_tanf(x) WARPFIBER_CALLED(tanf, x)
#define __builtin_tanh(x) WARPFIBER_CALLED(tanh, x)
#define __builtin_tanhf(x) WARPFIBER_CALLED(tanhf, x)
#define __builtin_tgamma(x) WARPFIBER_CALLED(tgamma, x)
#define __builtin_tgammaf(x) WARPFIBER_CALLED(tgammaf, x)
#define __builtin_atan2(x, y) WARPFIBER_CALLED(atan2, x, y)
#define __builtin_atan2f(x, y) WARPFIBER_CALLED(atan2f, x, y)
#define __builtin_hypot(x, y) WARPFIBER_CALLED(hypot, x, y)
#define __builtin_hypotf(x, y) WARPFIBER_CALLED(hypotf, x, y)

// Compilers no longer know that these depend on nothing but their arguments.
#define WARPFIBER_COMPUTES(function)                             \
  __attribute__((const)) double function(double) noexcept(true); \
  __attribute__((const)) float function##f(float) noexcept(true);
#define WARPFIBER_COMPUTES_OF_TWO(function)                              \
  __attribute__((const)) double function(double, double) noexcept(true); \
  __attribute__((const)) float function##f(float, float) noexcept(true);

extern "C" {
WARPFIBER_COMPUTES(acos)
WARPFIBER_COMPUTES(acosh)
WARPFIBER_COMPUTES(asin)
WARPFIBER_COMPUTES(asinh)
WARPFIBER_COMPUTES(atan)
WARPFIBER_COMPUTES(atanh)
WARPFIBER_COMPUTES(cbrt)
WARPFIBER_COMPUTES(cos)
WARPFIBER_COMPUTES(cosh)
WARPFIBER_COMPUTES(erf)
WARPFIBER_COMPUTES(erfc)
WARPFIBER_COMPUTES(exp)
WARPFIBER_COMPUTES(exp2)
WARPFIBER_COMPUTES(expm1)
WARPFIBER_COMPUTES(log)
WARPFIBER_COMPUTES(log10)
WARPFIBER_COMPUTES(log1p)
WARPFIBER_COMPUTES(log2)
WARPFIBER_COMPUTES(sin)
WARPFIBER_COMPUTES(sinh)
WARPFIBER_COMPUTES(tan)
WARPFIBER_COMPUTES(tanh)
WARPFIBER_COMPUTES(tgamma)
WARPFIBER_COMPUTES_OF_TWO(atan2)
WARPFIBER_COMPUTES_OF_TWO(hypot)
}

#undef WARPFIBER_COMPUTES
#undef WARPFIBER_COMPUTES_OF_TWO
