// SPDX-License-Identifier: Apache-2.0
//
// Numbers of 4 bits: every code to every other type, and every half, every bfloat16, and floats and doubles around
// every number and every middle between two, into them, against a table of what the codes mean (OCP Microscaling
// Formats Specification 1.0) and a search for the nearest.
#include <cuda_fp4.h>

#include <cmath>
#include <limits>

#include "support/catch.hpp"

namespace {

constexpr double kMeanings[] = {0, 0.5, 1, 1.5, 2, 3, 4, 6, -0.0, -0.5, -1, -1.5, -2, -3, -4, -6};

/// The code of the number nearest to x, of two the one that ends in 0.
unsigned nearest(double x) {
  if (std::isnan(x)) return 7;
  const double size = std::fmin(std::fabs(x), 6);
  unsigned best = 0;
  for (unsigned code = 1; code < 8; ++code) {
    const double off = std::fabs(kMeanings[code] - size);
    const double least = std::fabs(kMeanings[best] - size);
    if (off < least || (off == least && code % 2 == 0)) best = code;
  }
  return (std::signbit(x) ? 8U : 0U) | best;
}

unsigned code_of(__nv_fp4_e2m1 value) {
  return value.__x;
}

}  // namespace

TEST_CASE("each of the 16 codes is the number of the specification in every type") {
  for (unsigned code = 0; code < 16; ++code) {
    CAPTURE(code);
    __nv_fp4_e2m1 value;
    value.__x = static_cast<__nv_fp4_storage_t>(code);
    const double meaning = kMeanings[code];
    CHECK(static_cast<double>(value) == meaning);
    CHECK(std::signbit(static_cast<float>(value)) == std::signbit(meaning));
    CHECK(static_cast<float>(static_cast<__half>(value)) == static_cast<float>(meaning));
    CHECK(static_cast<float>(static_cast<__nv_bfloat16>(value)) == static_cast<float>(meaning));
    CHECK(static_cast<int>(value) == static_cast<int>(meaning));
    CHECK(static_cast<bool>(value) == (meaning != 0));
    CHECK(code_of(__nv_fp4_e2m1(meaning)) == code);
    CHECK(__half2float(__half(__nv_cvt_fp4_to_halfraw(value.__x, __NV_E2M1))) == static_cast<float>(meaning));
  }
}

TEST_CASE("a middle between two numbers becomes the one whose code is even, and its neighbours the nearer one") {
  constexpr unsigned kOfMiddles[] = {0, 2, 2, 4, 4, 6, 6};  // 0.25, 0.75, 1.25, 1.75, 2.5, 3.5, 5
  for (unsigned code = 0; code < 7; ++code) {
    const double middle = (kMeanings[code] + kMeanings[code + 1]) / 2;
    CAPTURE(middle);
    CHECK(code_of(__nv_fp4_e2m1(middle)) == kOfMiddles[code]);
    CHECK(code_of(__nv_fp4_e2m1(-middle)) == (kOfMiddles[code] | 8));
    CHECK(code_of(__nv_fp4_e2m1(std::nextafter(middle, 0))) == code);
    CHECK(code_of(__nv_fp4_e2m1(std::nextafter(middle, 9))) == code + 1);
    CHECK(code_of(__nv_fp4_e2m1(std::nextafter(static_cast<float>(middle), 9.0F))) == code + 1);
  }
}

TEST_CASE("every half and bfloat16 becomes the nearest number; what is too large is 6, and a NaN is 6") {
  unsigned wrong = 0;
  for (unsigned bits = 0; bits < 0x10000; ++bits) {
    const __half binary16(__half_raw{static_cast<unsigned short>(bits)});
    const __nv_bfloat16 bfloat(__nv_bfloat16_raw{static_cast<unsigned short>(bits)});
    wrong += code_of(__nv_fp4_e2m1(binary16)) != nearest(__half2float(binary16)) ? 1U : 0U;
    wrong += code_of(__nv_fp4_e2m1(bfloat)) != nearest(__bfloat162float(bfloat)) ? 1U : 0U;
  }
  CHECK(wrong == 0);
  CHECK(code_of(__nv_fp4_e2m1(1e30)) == 7);
  CHECK(code_of(__nv_fp4_e2m1(-std::numeric_limits<float>::infinity())) == 15);
  CHECK(code_of(__nv_fp4_e2m1(-std::nan(""))) == 7);
  CHECK(code_of(__nv_fp4_e2m1(-1e-300)) == 8);
  CHECK(code_of(__nv_fp4_e2m1(5)) == 6);
  CHECK(code_of(__nv_fp4_e2m1(std::numeric_limits<long long>::min())) == 15);
}

TEST_CASE("conversions round as they are told to") {
  const auto code = [](double x, cudaRoundMode rounding) {
    return static_cast<unsigned>(__nv_cvt_double_to_fp4(x, __NV_E2M1, rounding));
  };
  CHECK(code(2.9, cudaRoundZero) == 4);
  CHECK(code(2.1, cudaRoundPosInf) == 5);
  CHECK(code(2.9, cudaRoundMinInf) == 4);
  CHECK(code(-2.9, cudaRoundZero) == 12);
  CHECK(code(-2.1, cudaRoundMinInf) == 13);
  CHECK(code(-2.9, cudaRoundPosInf) == 12);
  CHECK(code(3, cudaRoundPosInf) == 5);
  CHECK(code(7, cudaRoundPosInf) == 7);
}

TEST_CASE("pairs and quadruples have the first number in the lowest bits") {
  const __nv_fp4x2_e2m1 pair(make_float2(1.5F, -4.0F));
  CHECK(pair.__x == 0xe3);
  CHECK(static_cast<float2>(pair).x == 1.5F);
  CHECK(static_cast<float2>(pair).y == -4);
  CHECK(__high2float(static_cast<__half2>(pair)) == -4);
  CHECK(__nv_fp4x2_e2m1(__floats2half2_rn(1.5F, -4.0F)).__x == 0xe3);
  CHECK(__nv_fp4x2_e2m1(__floats2bfloat162_rn(1.5F, -4.0F)).__x == 0xe3);
  CHECK(__nv_fp4x2_e2m1(make_double2(1.5, -4)).__x == 0xe3);
  const __nv_fp4x4_e2m1 four(make_float4(0.5F, 1, 2, 6));
  CHECK(four.__x == 0x7421);
  CHECK(static_cast<float4>(four).w == 6);
  CHECK(__nv_fp4x4_e2m1(__floats2half2_rn(0.5F, 1), __floats2half2_rn(2, 6)).__x == 0x7421);
  CHECK(sizeof(__nv_fp4_e2m1) == 1);
  CHECK(sizeof(pair) == 1);
  CHECK(sizeof(four) == 2);
  CHECK(__nv_cvt_float2_to_fp4x2(make_float2(1.5F, -4.0F), __NV_E2M1, cudaRoundNearest) == 0xe3);
  const __half2_raw halves = __nv_cvt_fp4x2_to_halfraw2(0xe3, __NV_E2M1);
  CHECK(__nv_cvt_halfraw2_to_fp4x2(halves, __NV_E2M1, cudaRoundNearest) == 0xe3);
}
