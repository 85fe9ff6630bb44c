// SPDX-License-Identifier: Apache-2.0
//
// __half and __nv_bfloat16 as types: layout, implicit conversions and what CUDA leaves ambiguous, operators, pairs,
// constants; and in kernels: atomicAdd, shuffles, cache hints.
#include <type_traits>

#include <warpfiber/bfloat16_memory.hpp>
#include <warpfiber/half_memory.hpp>
#include <warpfiber/warpfiber.hpp>

#include "support/catch.hpp"

namespace {

template <class A, class B>
concept Addable = requires(A a, B b) {
  a + b;
};

template <class T>
bool same_bits(T a, T b) {
  return warpfiber::narrow::bits_of(a) == warpfiber::narrow::bits_of(b);
}

template <class T2>
bool halves_are(T2 pair, float low, float high) {
  return __low2float(pair) == low && __high2float(pair) == high;
}

/// A value whose bytes are all `byte`.
template <class T>
T numbered(int byte) {
  unsigned char bytes[sizeof(T)];
  __builtin_memset(bytes, byte, sizeof(T));
  T value;
  __builtin_memcpy(static_cast<void*>(&value), bytes, sizeof(T));
  return value;
}

template <class T>
void sum_atomically(T* total, T value) {
  atomicAdd(total, value);
}

template <class T>
void shuffle_up(T* values) {
  const T mine = __ldg(&values[threadIdx.x]);
  __stcg(&values[threadIdx.x], __shfl_up_sync(0xffffffff, mine, 1));
}

}  // namespace

TEST_CASE("16-bit types have CUDA's layout and travel as bits") {
  STATIC_REQUIRE(sizeof(__half) == 2);
  STATIC_REQUIRE(alignof(__half) == 2);
  STATIC_REQUIRE(sizeof(__nv_bfloat162) == 4);
  STATIC_REQUIRE(alignof(__half2) == 4);
  STATIC_REQUIRE(std::is_trivially_copyable_v<__half>);
  STATIC_REQUIRE(std::is_trivially_default_constructible_v<__nv_bfloat16>);
  STATIC_REQUIRE(std::is_trivially_copyable_v<__nv_bfloat162>);
  STATIC_REQUIRE(std::is_same_v<half, __half>);
  STATIC_REQUIRE(std::is_same_v<nv_bfloat162, __nv_bfloat162>);
}

TEST_CASE("16-bit types convert as CUDA's do") {
  STATIC_REQUIRE(std::is_convertible_v<double, __half>);
  STATIC_REQUIRE(std::is_convertible_v<unsigned long, __nv_bfloat16>);
  STATIC_REQUIRE(std::is_convertible_v<__half, long long>);
  STATIC_REQUIRE(std::is_convertible_v<__nv_bfloat16, __nv_bfloat16_raw>);
  STATIC_REQUIRE(!std::is_convertible_v<__nv_bfloat16, __half>);
  STATIC_REQUIRE(std::is_constructible_v<__nv_bfloat16, __half>);
  STATIC_REQUIRE(!Addable<__half, float>);  // the sum of halves or that of floats: nvcc refuses it as well
  STATIC_REQUIRE(Addable<__half, __half>);
  __half x = 2.5F;
  const float wide = x;
  const double wider = x;
  const int whole = x;
  CHECK(wide == 2.5F);
  CHECK(wider == 2.5);
  CHECK(whole == 2);
  x = 7;
  CHECK(static_cast<float>(x) == 7);
  x = -0.1;
  CHECK(static_cast<__half_raw>(x).x == 0xae66);
  CHECK(static_cast<unsigned>(x) == 0);
  CHECK((x ? 1 : 0) == 1);
  CHECK(same_bits(__half(__nv_bfloat16(0.1F)), __half(0x1.9ap-4F)));
  CHECK(same_bits(__nv_bfloat16(__half(0.1F)), __nv_bfloat16(0x1.998p-4F)));
}

TEST_CASE("volatile halves are read and written through their raw form") {
  volatile __half stored = __half(1.0F);
  stored = __half_raw{0x4000};
  const __half read = static_cast<__half_raw>(stored);
  CHECK(static_cast<float>(read) == 2);
}

TEMPLATE_TEST_CASE("operators are the functions of the same name", "", __half, __nv_bfloat16) {
  const TestType three = 3.0F;
  const TestType half_of_one = 0.5F;
  TestType x = three;
  CHECK(static_cast<float>(three + half_of_one) == 3.5F);
  CHECK(static_cast<float>(three - half_of_one) == 2.5F);
  CHECK(static_cast<float>(three * half_of_one) == 1.5F);
  CHECK(static_cast<float>(three / half_of_one) == 6);
  CHECK(static_cast<float>(-three) == -3);
  CHECK(static_cast<float>(+three) == 3);
  CHECK(static_cast<float>(x++) == 3);
  CHECK(static_cast<float>(++x) == 5);
  CHECK(static_cast<float>(x--) == 5);
  CHECK(static_cast<float>(--x) == 3);
  x += half_of_one;
  x -= three;
  x *= three;
  x /= half_of_one;
  CHECK(static_cast<float>(x) == 3);
  CHECK(x == three);
  CHECK(!(x != three));
  CHECK(half_of_one < x);
  CHECK(x > half_of_one);
  CHECK(x >= three);
  CHECK(x <= three);
}

TEMPLATE_TEST_CASE("operators of pairs work on both halves and compare both", "", __half2, __nv_bfloat162) {
  using T = decltype(TestType::x);
  const TestType a(T(3.0F), T(-2.0F));
  const TestType b(T(0.5F), T(4.0F));
  CHECK(halves_are(a + b, 3.5F, 2));
  CHECK(halves_are(a - b, 2.5F, -6));
  CHECK(halves_are(a * b, 1.5F, -8));
  CHECK(halves_are(a / b, 6, -0.5F));
  CHECK(halves_are(-a, -3, 2));
  TestType c = a;
  CHECK(halves_are(c++, 3, -2));
  CHECK(halves_are(--c, 3, -2));
  CHECK(c == a);
  CHECK(!(a == b));
  CHECK(a != b);
  CHECK(!(a < b));
  CHECK(!(a > b));
  CHECK(a <= c);
  CHECK(a >= c);
}

TEST_CASE("pairs are packed and unpacked by name") {
  const __half2 a = __floats2half2_rn(1, 2);
  const __half2 b = make_half2(__float2half(3), __float2half(4));
  CHECK(halves_are(a, 1, 2));
  CHECK(halves_are(__lowhigh2highlow(a), 2, 1));
  CHECK(halves_are(__lows2half2(a, b), 1, 3));
  CHECK(halves_are(__highs2half2(a, b), 2, 4));
  CHECK(halves_are(__low2half2(a), 1, 1));
  CHECK(halves_are(__high2half2(a), 2, 2));
  CHECK(halves_are(__half2half2(__low2half(b)), 3, 3));
  CHECK(halves_are(__halves2half2(__high2half(b), __low2half(a)), 4, 1));
  CHECK(halves_are(__float2half2_rn(5), 5, 5));
  CHECK(halves_are(__float22half2_rn(make_float2(6, 7)), 6, 7));
  CHECK(__half22float2(b).y == 4);
  const __nv_bfloat162 c = __floats2bfloat162_rn(1, 2);
  const __nv_bfloat162 d = __halves2bfloat162(__high2bfloat16(c), __low2bfloat16(c));
  CHECK(halves_are(d, 2, 1));
  CHECK(halves_are(__lows2bfloat162(c, d), 1, 2));
  CHECK(halves_are(__highs2bfloat162(c, d), 2, 1));
  CHECK(halves_are(__low2bfloat162(c), 1, 1));
  CHECK(halves_are(__high2bfloat162(c), 2, 2));
  CHECK(halves_are(__bfloat162bfloat162(c.x), 1, 1));
  CHECK(halves_are(__lowhigh2highlow(c), 2, 1));
  CHECK(halves_are(__float22bfloat162_rn(__bfloat1622float2(c)), 1, 2));
  CHECK(halves_are(make_bfloat162(d.x, c.x), 2, 1));
  CHECK(halves_are(__float2bfloat162_rn(5), 5, 5));
}

TEMPLATE_TEST_CASE("functions of pairs are the functions of numbers in both halves", "", __half2, __nv_bfloat162) {
  using T = decltype(TestType::x);
  const TestType a(T(0.75F), T(-3.0F));
  const TestType b(T(0.5F), T(2.0F));
  const TestType c(T(-8.0F), T(1.0F));
  CHECK(halves_are(__hadd2(a, b), 1.25F, -1));
  CHECK(halves_are(__hsub2_rn(a, b), 0.25F, -5));
  CHECK(halves_are(__hmul2_sat(a, b), 0.375F, 0));
  CHECK(halves_are(__hadd2_sat(a, b), 1, 0));
  CHECK(halves_are(__h2div(a, b), 1.5F, -1.5F));
  CHECK(halves_are(__hfma2(a, b, c), -7.625F, -5));
  CHECK(halves_are(__hfma2_relu(a, b, -c), 8.375F, 0));
  CHECK(halves_are(__hfma2_sat(a, b, -c), 1, 0));
  CHECK(halves_are(__habs2(a), 0.75F, 3));
  CHECK(halves_are(__hneg2(a), -0.75F, 3));
  CHECK(halves_are(__hmin2(a, b), 0.5F, -3));
  CHECK(halves_are(__hmax2_nan(a, b), 0.75F, 2));
  CHECK(halves_are(__hisnan2(a), 0, 0));
  CHECK(halves_are(__hcmadd(a, b, c), -1.625F, 1));  // (0.75 - 3i) (0.5 + 2i) + (-8 + i)
}

TEST_CASE("constants are the patterns their names say") {
  CHECK(static_cast<float>(CUDART_MAX_NORMAL_FP16) == 65504);
  CHECK(static_cast<float>(CUDART_MIN_DENORM_FP16) == 0x1p-24F);
  CHECK(static_cast<float>(CUDART_ONE_BF16) == 1);
  CHECK(static_cast<float>(CUDART_MAX_NORMAL_BF16) == 0x1.fep127F);
  CHECK(__hisinf(CUDART_INF_FP16) == 1);
  CHECK(__hisnan(CUDART_NAN_BF16));
  CHECK(__half_as_short(CUDART_NEG_ZERO_FP16) == -0x8000);
}

TEMPLATE_TEST_CASE("many threads add to one 16-bit number without losing any", "", __half, __nv_bfloat16) {
  warpfiber::Buffer<TestType> total(std::vector<TestType>{TestType(0.0F)});
  const warpfiber::LaunchConfig config{.grid = 4, .block = 32, .workers = 2};
  REQUIRE(warpfiber::launch(config, sum_atomically<TestType>, total.data(), TestType(1.0F)));
  CHECK(static_cast<float>(total.download()[0]) == 128);
}

TEMPLATE_TEST_CASE("many threads add to both halves of a pair", "", __half2, __nv_bfloat162) {
  using T = decltype(TestType::x);
  warpfiber::Buffer<TestType> total(std::vector<TestType>{TestType(T(0.0F), T(1.0F))});
  const warpfiber::LaunchConfig config{.grid = 4, .block = 32, .workers = 2};
  REQUIRE(warpfiber::launch(config, sum_atomically<TestType>, total.data(), TestType(T(1.0F), T(-1.0F))));
  CHECK(halves_are(total.download()[0], 128, -127));
}

TEMPLATE_TEST_CASE("shuffles and cache hints take 16-bit numbers and pairs", "", __half, __half2, __nv_bfloat16,
                   __nv_bfloat162) {
  std::vector<TestType> before;
  for (int i = 0; i < 32; ++i) before.push_back(numbered<TestType>(i));
  warpfiber::Buffer<TestType> values(before);
  REQUIRE(warpfiber::launch({.grid = 1, .block = 32}, shuffle_up<TestType>, values.data()));
  const std::vector<TestType> after = values.download();
  for (unsigned i = 0; i < 32; ++i) {
    CHECK(__builtin_memcmp(&after[i], &before[i == 0 ? 0 : i - 1], sizeof(TestType)) == 0);
  }
}
