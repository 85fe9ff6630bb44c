// SPDX-License-Identifier: Apache-2.0
//
// Loads and stores with cache hints: the value gets there for every type CUDA lists, and no other type is taken.
#include <cstring>

#include <warpfiber/intrinsics/cache_access.hpp>

#include "support/catch.hpp"

namespace {

template <class T>
T sample() {
  T value;
  std::memset(&value, 0x35, sizeof value);
  return value;
}

template <class T>
bool same(const T& a, const T& b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

template <class T>
concept Loadable = requires(const T* p) {
  __ldg(p);
};

}  // namespace

TEMPLATE_TEST_CASE("hinted loads and stores move the value", "", char, signed char, unsigned char, short,
                   unsigned short, int, unsigned int, long, unsigned long, long long, unsigned long long, float, double,
                   char2, char4, uchar2, uchar4, short2, short4, ushort2, ushort4, int2, int4, uint2, uint4, longlong2,
                   ulonglong2, float2, float4, double2) {
  const TestType value = sample<TestType>();
  CHECK(same(__ldg(&value), value));
  CHECK(same(__ldca(&value), value));
  CHECK(same(__ldcs(&value), value));
  CHECK(same(__ldcg(&value), value));
  CHECK(same(__ldlu(&value), value));
  CHECK(same(__ldcv(&value), value));
  TestType stored[4] = {};
  __stwb(&stored[0], value);
  __stcg(&stored[1], value);
  __stcs(&stored[2], value);
  __stwt(&stored[3], value);
  for (const TestType& element : stored) CHECK(same(element, value));
}

TEST_CASE("hinted loads take only the types one instruction moves") {
  STATIC_REQUIRE(Loadable<float4>);
  STATIC_REQUIRE_FALSE(Loadable<float3>);
  STATIC_REQUIRE_FALSE(Loadable<double4>);
  STATIC_REQUIRE_FALSE(Loadable<bool>);
}

TEST_CASE("the value stored converts to the element's type") {
  double element = 0;
  __stcg(&element, 3);
  CHECK(element == 3.0);
}
