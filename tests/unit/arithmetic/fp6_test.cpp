// SPDX-License-Identifier: Apache-2.0
//
// Numbers of 6 bits: every code of both formats to every other type, and every half, every bfloat16, and doubles around
// every number and every middle between two, into them in each rounding, against what the codes mean (OCP Microscaling
// Formats Specification 1.0) and a search among them.
#include <cuda_fp6.h>

#include <cmath>
#include <limits>

#include "support/catch.hpp"

namespace {

/// What code means: of e2m3 with 2 bits of exponent and 3 of fraction, or of e3m2 with 3 and 2.
double meaning(unsigned code, __nv_fp6_interpretation_t format) {
  const int fraction = format == __NV_E2M3 ? 3 : 2;
  const int bias = format == __NV_E2M3 ? 1 : 3;
  const int exponent = static_cast<int>(code & 31) >> fraction;
  const int digits = static_cast<int>(code) & ((1 << fraction) - 1);
  const double size = exponent == 0 ? std::ldexp(digits, 1 - bias - fraction)
                                    : std::ldexp(digits + (1 << fraction), exponent - bias - fraction);
  return (code & 32) != 0 ? -size : size;
}

/// The code that x becomes; of two that are as near the one that ends in 0.
unsigned expected(double x, __nv_fp6_interpretation_t format, cudaRoundMode rounding) {
  if (std::isnan(x)) return 31;
  const bool negative = std::signbit(x);
  const double size = std::fmin(std::fabs(x), meaning(31, format));
  unsigned below = 31;
  while (meaning(below, format) > size) --below;
  const unsigned sign = negative ? 32 : 0;
  const double rest = size - meaning(below, format);
  if (rest == 0) return sign | below;
  const double step = meaning(below + 1, format) - meaning(below, format);
  const bool away = rounding == cudaRoundNearest ? 2 * rest > step || (2 * rest == step && below % 2 != 0)
                                                 : rounding == (negative ? cudaRoundMinInf : cudaRoundPosInf);
  return sign | (away ? below + 1 : below);
}

constexpr __nv_fp6_interpretation_t kFormats[] = {__NV_E2M3, __NV_E3M2};
constexpr cudaRoundMode kRoundings[] = {cudaRoundNearest, cudaRoundZero, cudaRoundPosInf, cudaRoundMinInf};

template <class Number>
void check_codes(__nv_fp6_interpretation_t format) {
  for (unsigned code = 0; code < 64; ++code) {
    CAPTURE(format, code);
    Number number;
    number.__x = static_cast<__nv_fp6_storage_t>(code | 0x40);  // the two bits above are not looked at
    const double value = meaning(code, format);
    CHECK(static_cast<double>(number) == value);
    CHECK(std::signbit(static_cast<float>(number)) == std::signbit(value));
    CHECK(static_cast<float>(static_cast<__half>(number)) == static_cast<float>(value));
    CHECK(static_cast<float>(static_cast<__nv_bfloat16>(number)) == static_cast<float>(value));
    CHECK(static_cast<int>(number) == static_cast<int>(value));
    CHECK(static_cast<unsigned char>(number) == static_cast<unsigned char>(value < 0 ? 0 : value));
    CHECK(static_cast<bool>(number) == (value != 0));
    CHECK(unsigned{Number(value).__x} == code);
    CHECK(unsigned{Number(static_cast<float>(value)).__x} == code);
    CHECK(__half2float(__half(__nv_cvt_fp6_to_halfraw(number.__x, format))) == static_cast<float>(value));
  }
}

}  // namespace

TEST_CASE("each of the 64 codes is the number of the specification in every type") {
  check_codes<__nv_fp6_e2m3>(__NV_E2M3);
  check_codes<__nv_fp6_e3m2>(__NV_E3M2);
  CHECK(meaning(31, __NV_E2M3) == 7.5);
  CHECK(meaning(31, __NV_E3M2) == 28);
}

TEST_CASE("numbers, middles between two and their neighbours are rounded as they say") {
  for (const auto format : kFormats) {
    for (unsigned code = 0; code < 31; ++code) {
      const double middle = (meaning(code, format) + meaning(code + 1, format)) / 2;
      for (const double x :
           {meaning(code, format), middle, std::nextafter(middle, 0.0), std::nextafter(middle, 99.0)}) {
        for (const auto rounding : kRoundings) {
          CAPTURE(format, x, rounding);
          CHECK(unsigned{__nv_cvt_double_to_fp6(x, format, rounding)} == expected(x, format, rounding));
          CHECK(unsigned{__nv_cvt_double_to_fp6(-x, format, rounding)} == expected(-x, format, rounding));
          const auto single = static_cast<float>(x);
          CHECK(unsigned{__nv_cvt_float_to_fp6(single, format, rounding)} ==
                expected(static_cast<double>(single), format, rounding));
        }
      }
    }
  }
}

TEST_CASE("every half and bfloat16 becomes the right number of 6 bits; a NaN is the largest") {
  unsigned wrong = 0;
  for (unsigned bits = 0; bits < 0x10000; ++bits) {
    const __half_raw binary16{static_cast<unsigned short>(bits)};
    const __nv_bfloat16_raw bfloat{static_cast<unsigned short>(bits)};
    const auto of_half = static_cast<double>(__half2float(__half(binary16)));
    const auto of_bfloat = static_cast<double>(__bfloat162float(__nv_bfloat16(bfloat)));
    for (const auto format : kFormats) {
      for (const auto rounding : kRoundings) {
        wrong += __nv_cvt_halfraw_to_fp6(binary16, format, rounding) != expected(of_half, format, rounding) ? 1U : 0U;
        wrong +=
            __nv_cvt_bfloat16raw_to_fp6(bfloat, format, rounding) != expected(of_bfloat, format, rounding) ? 1U : 0U;
      }
    }
    wrong += __nv_fp6_e2m3(__half(binary16)).__x != expected(of_half, __NV_E2M3, cudaRoundNearest) ? 1U : 0U;
    wrong += __nv_fp6_e3m2(__nv_bfloat16(bfloat)).__x != expected(of_bfloat, __NV_E3M2, cudaRoundNearest) ? 1U : 0U;
  }
  CHECK(wrong == 0);
  CHECK(unsigned{__nv_fp6_e2m3(1e30).__x} == 31);
  CHECK(unsigned{__nv_fp6_e3m2(-std::numeric_limits<float>::infinity()).__x} == 63);
  CHECK(unsigned{__nv_fp6_e3m2(-std::nan("")).__x} == 31);
  CHECK(unsigned{__nv_fp6_e2m3(-1e-300).__x} == 32);
  CHECK(unsigned{__nv_fp6_e2m3(std::numeric_limits<long long>::min()).__x} == 63);
}

TEST_CASE("pairs and quadruples of 6 bits have the first number in the lowest byte") {
  const __nv_fp6x2_e2m3 pair(make_float2(1.5F, -4.0F));
  CHECK(pair.__x == 0x380c);
  CHECK(static_cast<float2>(pair).x == 1.5F);
  CHECK(static_cast<float2>(pair).y == -4);
  CHECK(__high2float(static_cast<__half2>(pair)) == -4);
  CHECK(__nv_fp6x2_e2m3(__floats2half2_rn(1.5F, -4.0F)).__x == 0x380c);
  CHECK(__nv_fp6x2_e2m3(__floats2bfloat162_rn(1.5F, -4.0F)).__x == 0x380c);
  CHECK(__nv_fp6x2_e2m3(make_double2(1.5, -4)).__x == 0x380c);
  const __nv_fp6x4_e3m2 four(make_float4(0.0625F, 1, 28, -2));
  CHECK(four.__x == 0x301f0c01);
  CHECK(static_cast<float4>(four).z == 28);
  CHECK(__nv_fp6x4_e3m2(__floats2half2_rn(0.0625F, 1), __floats2half2_rn(28, -2)).__x == 0x301f0c01);
  CHECK(sizeof(__nv_fp6_e2m3) == 1);
  CHECK(sizeof(pair) == 2);
  CHECK(sizeof(four) == 4);
  CHECK(__nv_cvt_float2_to_fp6x2(make_float2(1.5F, -4.0F), __NV_E2M3, cudaRoundNearest) == 0x380c);
  CHECK(__nv_cvt_double2_to_fp6x2(make_double2(1.51, -4.1), __NV_E2M3, cudaRoundZero) == 0x380c);
  const __half2_raw halves = __nv_cvt_fp6x2_to_halfraw2(0x380c, __NV_E2M3);
  CHECK(__nv_cvt_halfraw2_to_fp6x2(halves, __NV_E2M3, cudaRoundNearest) == 0x380c);
}
