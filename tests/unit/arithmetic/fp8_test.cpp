// SPDX-License-Identifier: Apache-2.0
//
// Numbers of 8 bits: every pattern to every other type, and every half, every bfloat16, and floats and doubles around
// every number and every middle between two, into them, against a table of what the patterns mean and a search for the
// nearest. "Measured" results are those of CUDA 13.0's own header on a host.
#include <cuda_fp8.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "support/catch.hpp"

namespace {

struct Format {
  __nv_fp8_interpretation_t name;
  int exponent_bits;
  int fraction_bits;
  unsigned largest;  // finite pattern
  unsigned beyond;   // without saturation
};
constexpr Format kE4M3{__NV_E4M3, 4, 3, 0x7e, 0x7f};
constexpr Format kE5M2{__NV_E5M2, 5, 2, 0x7b, 0x7c};

/// What a pattern means, from the definition of the formats (OCP 8-bit Floating Point Specification).
double meaning(const Format& format, unsigned pattern) {
  const int bias = (1 << (format.exponent_bits - 1)) - 1;
  const int exponent = static_cast<int>(pattern >> format.fraction_bits & ((1U << format.exponent_bits) - 1));
  const int fraction = static_cast<int>(pattern & ((1U << format.fraction_bits) - 1));
  const double sign = (pattern & 0x80) != 0 ? -1 : 1;
  const unsigned size = pattern & 0x7f;
  if (size > format.largest) {
    return format.name == __NV_E5M2 && size == 0x7c ? sign * std::numeric_limits<double>::infinity() : std::nan("");
  }
  const int hidden = exponent == 0 ? 0 : 1 << format.fraction_bits;
  return sign * std::ldexp(hidden + fraction, (exponent == 0 ? 1 : exponent) - bias - format.fraction_bits);
}

/// The pattern of the number nearest to x, of two the one that ends in 0.
unsigned nearest(const Format& format, double x, bool finite) {
  if (std::isnan(x)) return 0x7f;
  const unsigned sign = std::signbit(x) ? 0x80 : 0;
  const double size = std::fabs(x);
  // The number that would follow the largest one decides what is beyond.
  const double step = meaning(format, format.largest) - meaning(format, format.largest - 1);
  if (size > meaning(format, format.largest) + step / 2) return sign | (finite ? format.largest : format.beyond);
  if (size == meaning(format, format.largest) + step / 2) {
    const bool stays = format.largest % 2 == 0;
    return sign | (finite || stays ? format.largest : format.beyond);
  }
  unsigned best = 0;
  for (unsigned pattern = 1; pattern <= format.largest; ++pattern) {
    const double off = std::fabs(meaning(format, pattern) - size);
    const double least = std::fabs(meaning(format, best) - size);
    if (off < least || (off == least && pattern % 2 == 0)) best = pattern;
  }
  return sign | best;
}

/// Every number, the middles, and the floats beside them.
std::vector<float> telling_floats(const Format& format) {
  std::vector<float> all{0.0F, 1e-45F, 464, 465, 480, 61439, 61440, 65535, 65536, 1e30F, INFINITY, NAN};
  for (unsigned pattern = 0; pattern < format.largest; ++pattern) {
    const auto low = static_cast<float>(meaning(format, pattern));
    const float middle = (low + static_cast<float>(meaning(format, pattern + 1))) / 2;
    for (const float x : {low, middle}) {
      for (const float y : {x, std::nextafter(x, 1e9F), std::nextafter(x, -1e9F)}) all.push_back(y);
    }
  }
  for (std::size_t i = all.size(); i-- > 0;) all.push_back(-all[i]);
  return all;
}

template <class T>
void check_type(const Format& format) {
  unsigned wrong = 0;
  for (unsigned pattern = 0; pattern < 256; ++pattern) {
    T value;
    value.__x = static_cast<__nv_fp8_storage_t>(pattern);
    const double want = meaning(format, pattern);
    const auto as_float = static_cast<float>(value);
    wrong += std::isnan(want) ? !std::isnan(as_float) : static_cast<double>(as_float) != want;
    wrong += std::isnan(want) ? !std::isnan(static_cast<double>(value)) : static_cast<double>(value) != want;
    wrong += static_cast<bool>(value) != (want != 0);
    wrong += static_cast<int>(value) !=
             (std::isnan(want)   ? 0
              : std::isinf(want) ? (want > 0 ? std::numeric_limits<int>::max() : std::numeric_limits<int>::min())
                                 : static_cast<int>(want));
    wrong += static_cast<unsigned char>(value) != (std::isnan(want) || want < 0 ? 0U
                                                   : want > 255                 ? 255U
                                                                                : static_cast<unsigned>(want));
    wrong += std::isnan(want) && static_cast<long long>(value) != std::numeric_limits<long long>::min();
    const auto half = static_cast<__half>(value);
    const auto bfloat = static_cast<__nv_bfloat16>(value);
    wrong += std::isnan(want) ? __half_as_ushort(half) != 0x7fff : static_cast<double>(__half2float(half)) != want;
    wrong += std::isnan(want) ? __bfloat16_as_ushort(bfloat) != 0x7fff
                              : static_cast<double>(__bfloat162float(bfloat)) != want;
    wrong += !std::isnan(want) && T(as_float).__x != (std::isinf(want) ? (pattern & 0x80) | format.largest : pattern);
  }
  for (unsigned bits = 0; bits < 65536; ++bits) {
    const __half half = __ushort_as_half(static_cast<unsigned short>(bits));
    const __nv_bfloat16 bfloat = __ushort_as_bfloat16(static_cast<unsigned short>(bits));
    wrong += T(half).__x != nearest(format, static_cast<double>(__half2float(half)), true);
    wrong += T(bfloat).__x != nearest(format, static_cast<double>(__bfloat162float(bfloat)), true);
  }
  for (const int whole : {0, 1, -1, 7, 17, 19, 255, 300, 448, 465, 57344, 1 << 30, -(1 << 30)})
    wrong += T(whole).__x != nearest(format, whole, true);
  CHECK(wrong == 0);
}

}  // namespace

TEST_CASE("numbers of 8 bits convert from and to every other type", "[host-arithmetic]") {
  check_type<__nv_fp8_e4m3>(kE4M3);
  check_type<__nv_fp8_e5m2>(kE5M2);
}

TEST_CASE("floats and doubles become the nearest number of 8 bits", "[host-arithmetic]") {
  const Format format = GENERATE(kE4M3, kE5M2);
  const bool finite = GENERATE(false, true);
  const __nv_saturation_t saturation = finite ? __NV_SATFINITE : __NV_NOSAT;
  unsigned wrong = 0;
  for (const float x : telling_floats(format)) {
    wrong += __nv_cvt_float_to_fp8(x, saturation, format.name) != nearest(format, static_cast<double>(x), finite);
    if (std::isnan(x)) continue;
    for (const double y : {static_cast<double>(x), std::nextafter(static_cast<double>(x), 1e9),
                           std::nextafter(static_cast<double>(x), -1e9)})
      wrong += __nv_cvt_double_to_fp8(y, saturation, format.name) != nearest(format, y, finite);
  }
  CHECK(wrong == 0);
}

TEST_CASE("a double that is no number keeps its sign, as measured") {
  CHECK(__nv_cvt_double_to_fp8(std::nan(""), __NV_NOSAT, __NV_E4M3) == 0x7f);
  CHECK(__nv_cvt_double_to_fp8(-std::nan(""), __NV_SATFINITE, __NV_E4M3) == 0xff);
  CHECK(__nv_cvt_double_to_fp8(std::nan(""), __NV_NOSAT, __NV_E5M2) == 0x7e);
  CHECK(__nv_cvt_double_to_fp8(-std::nan(""), __NV_SATFINITE, __NV_E5M2) == 0xfe);
}

TEST_CASE("pairs and quadruples hold the first number in the lowest bits") {
  const float4 four = make_float4(1, -2, 448, 0.5F);
  CHECK(__nv_fp8x4_e4m3(four).__x == 0x307ec038U);
  CHECK(__nv_fp8x4_e5m2(__floats2half2_rn(1, -2), __floats2half2_rn(448, 0.5F)).__x == 0x385fc03cU);
  CHECK(__nv_fp8x4_e4m3(__floats2bfloat162_rn(1, -2), __floats2bfloat162_rn(448, 0.5F)).__x == 0x307ec038U);
  CHECK(__nv_fp8x2_e5m2(make_double2(1, 1e9)).__x == 0x7b3c);
  CHECK(__nv_fp8x2_e4m3(__floats2half2_rn(1, -2)).__x == 0xc038);
  CHECK(__nv_fp8x2_e4m3(__floats2bfloat162_rn(1, -2)).__x == 0xc038);
  const auto back = static_cast<float4>(__nv_fp8x4_e4m3(four));
  CHECK((back.x == 1 && back.y == -2 && back.z == 448 && back.w == 0.5F));
  const auto pair = __half22float2(static_cast<__half2>(__nv_fp8x2_e4m3(make_float2(3, -3))));
  CHECK((pair.x == 3 && pair.y == -3));
  CHECK(__nv_cvt_float2_to_fp8x2(make_float2(1, 1e9F), __NV_NOSAT, __NV_E5M2) == 0x7c3c);
  const __half2_raw halves = __nv_cvt_fp8x2_to_halfraw2(0xc038, __NV_E4M3);
  CHECK((halves.x == 0x3c00 && halves.y == 0xc000));
  CHECK(__nv_cvt_halfraw2_to_fp8x2(halves, __NV_SATFINITE, __NV_E4M3) == 0xc038);
  CHECK(__nv_cvt_fp8_to_halfraw(0x7e, __NV_E4M3).x == 0x5f00);
  CHECK(__nv_cvt_halfraw_to_fp8(__half_raw{0x5f00}, __NV_SATFINITE, __NV_E5M2) == 0x5f);
  CHECK(__nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw{0x3f80}, __NV_SATFINITE, __NV_E5M2) == 0x3c);
  CHECK(__nv_cvt_bfloat16raw2_to_fp8x2(__nv_bfloat162_raw{0x3f80, 0xc000}, __NV_SATFINITE, __NV_E4M3) == 0xc038);
}

TEST_CASE("fp8: scales of 8 bits, as an H200 and CUDA 13.0's own header made them") {
  const auto scale = [](double x, __nv_saturation_t saturation, cudaRoundMode rounding) {
    return static_cast<unsigned>(__nv_cvt_double_to_e8m0(x, saturation, rounding));
  };
  struct Row {
    double x;
    unsigned down, up, down_finite, up_finite;
  };
  const double infinity = std::numeric_limits<double>::infinity();
  const Row measured[] = {{0.0, 0, 0, 0, 0},
                          {5e-324, 0, 0, 0, 0},
                          {0x1p-128, 0, 0, 0, 0},
                          {0x1p-127, 0, 0, 0, 0},
                          {0x1.8p-127, 0, 1, 0, 1},
                          {0x1p-126, 1, 1, 1, 1},
                          {1.5, 0x7f, 0x80, 0x7f, 0x80},
                          {-3.0, 0x80, 0x81, 0x80, 0x81},
                          {0x1.0000000000001p5, 0x84, 0x85, 0x84, 0x85},
                          {0x1p127, 0xfe, 0xfe, 0xfe, 0xfe},
                          {0x1.8p127, 0xfe, 0xff, 0xfe, 0xfe},
                          {0x1p128, 0xfe, 0xff, 0xfe, 0xfe},
                          {1e300, 0xfe, 0xff, 0xfe, 0xfe},
                          {infinity, 0xff, 0xff, 0xfe, 0xfe},
                          {std::nan(""), 0xff, 0xff, 0xff, 0xff}};
  for (const Row& row : measured) {
    CAPTURE(row.x);
    CHECK(scale(row.x, __NV_NOSAT, cudaRoundZero) == row.down);
    CHECK(scale(row.x, __NV_NOSAT, cudaRoundPosInf) == row.up);
    CHECK(scale(row.x, __NV_SATFINITE, cudaRoundZero) == row.down_finite);
    CHECK(scale(row.x, __NV_SATFINITE, cudaRoundPosInf) == row.up_finite);
  }
  // Floats with each exponent: a float's own exponent, and one more where anything follows it.
  for (unsigned exponent = 0; exponent < 255; ++exponent) {
    for (const unsigned fraction : {0U, 1U, 0x3fffffU, 0x400000U, 0x400001U, 0x7fffffU}) {
      CAPTURE(exponent, fraction);
      const float x = __builtin_bit_cast(float, exponent << 23 | fraction);
      const unsigned more = exponent == 0 ? fraction > 0x400000 : fraction != 0;
      CHECK(__nv_cvt_float_to_e8m0(x, __NV_NOSAT, cudaRoundZero) == exponent);
      CHECK(__nv_cvt_float_to_e8m0(-x, __NV_NOSAT, cudaRoundPosInf) == exponent + more);
      CHECK(__nv_cvt_float_to_e8m0(x, __NV_SATFINITE, cudaRoundPosInf) == std::min(exponent + more, 0xfeU));
    }
  }
}

TEST_CASE("fp8: what scales of 8 bits are") {
  struct Row {
    unsigned char bits;
    unsigned as_float;
    unsigned long long as_double;
    unsigned short as_half;
    int as_int;
    unsigned short as_bfloat16;
  };
  const Row measured[] = {{0, 0x00400000, 0x3800000000000000, 0, 0, 0x0040},
                          {1, 0x00800000, 0x3810000000000000, 0, 0, 0x0080},
                          {127, 0x3f800000, 0x3ff0000000000000, 0x3c00, 1, 0x3f80},
                          {254, 0x7f000000, 0x47e0000000000000, 0x7c00, 2147483647, 0x7f00},
                          {255, 0x7fff0000, 0x7fffe00000000000, 0x7fff, 0, 0x7fff}};
  for (const Row& row : measured) {
    CAPTURE(row.bits);
    __nv_fp8_e8m0 scale;
    scale.__x = row.bits;
    CHECK(__builtin_bit_cast(unsigned, static_cast<float>(scale)) == row.as_float);
    CHECK(__builtin_bit_cast(unsigned long long, static_cast<double>(scale)) == row.as_double);
    CHECK(__half_raw(static_cast<__half>(scale)).x == row.as_half);
    CHECK(static_cast<int>(scale) == row.as_int);
    CHECK(static_cast<bool>(scale));
    CHECK(__nv_cvt_e8m0_to_bf16raw(row.bits).x == row.as_bfloat16);
  }
  CHECK(__nv_fp8_e8m0(-1.5F).__x == 0x80);
  CHECK(__nv_fp8_e8m0(3.4e38F).__x == 0xfe);
  CHECK(__nv_fp8_e8m0(1000000).__x == 0x93);
  CHECK(__nv_cvt_float2_to_e8m0x2(make_float2(3, 5), __NV_SATFINITE, cudaRoundPosInf) == 0x8281);
  CHECK(sizeof(__nv_fp8x4_e8m0) == 4);
}
