// SPDX-License-Identifier: Apache-2.0
//
// min and max at global scope: the type of every overload, mixed signs, NaN and signed zeros.
#include <cmath>
#include <limits>
#include <type_traits>

#include <warpfiber/intrinsics/min_max.hpp>

#include "support/catch.hpp"
#include "unit/execution/intrinsics/sample_inputs.hpp"

namespace {

template <class Expected, class A, class B>
constexpr bool kResult =
    std::is_same_v<decltype(min(A{}, B{})), Expected>&& std::is_same_v<decltype(max(A{}, B{})), Expected>;

/// IEEE 754's minimumNumber and maximumNumber, with -0 below +0.
template <class T>
T expected_min(T a, T b) {
  if (std::isnan(a)) return b;
  if (std::isnan(b)) return a;
  if (a == b) return std::signbit(a) ? a : b;
  return a < b ? a : b;
}

template <class T>
void check() {
  const auto inputs = warpfiber::test::corners_and<T>(100);
  using warpfiber::test::first_difference;
  CHECK(first_difference(
            inputs, inputs, [](T a, T b) { return min(a, b); }, expected_min<T>) == "");
  CHECK(first_difference(
            inputs, inputs, [](T a, T b) { return max(a, b); }, [](T a, T b) { return -expected_min(-a, -b); }) == "");
}

}  // namespace

TEST_CASE("min and max have the result types of CUDA's overloads") {
  STATIC_REQUIRE(kResult<int, int, int>);
  STATIC_REQUIRE(kResult<unsigned, int, unsigned>);
  STATIC_REQUIRE(kResult<long, long, long>);
  STATIC_REQUIRE(kResult<unsigned long, unsigned long, long>);
  STATIC_REQUIRE(kResult<unsigned long long, long long, unsigned long long>);
  STATIC_REQUIRE(kResult<float, float, float>);
  STATIC_REQUIRE(kResult<double, float, double>);
  STATIC_REQUIRE(kResult<double, double, float>);
}

TEST_CASE("mixed signs compare as unsigned") {
  STATIC_REQUIRE(max(-1, 1U) == 0xffffffffU);
  STATIC_REQUIRE(min(-1LL, 1ULL) == 1);
  STATIC_REQUIRE(umax(1, 2) == 2);
  STATIC_REQUIRE(umin(0xffffffffU, 2) == 2);
  STATIC_REQUIRE(llmin(-1, 2) == -1);
  STATIC_REQUIRE(llmax(-1, 2) == 2);
  STATIC_REQUIRE(ullmin(1, 2) == 1);
  STATIC_REQUIRE(ullmax(1, ~0ULL) == ~0ULL);
}

TEST_CASE("floating min and max prefer numbers to NaN and order the zeros") {
  check<float>();
  check<double>();
}
