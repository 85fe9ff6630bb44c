// SPDX-License-Identifier: Apache-2.0
//
// CUDA's vector types against the sizes and alignments that nvcc 13.0 prints for its own on Linux.
#include <cstddef>
#include <type_traits>

#include <warpfiber/detail/vector_types.hpp>

#include "support/catch.hpp"

namespace {

struct Layout {
  const char* name;
  std::size_t size, alignment, expected_size, expected_alignment;
};

#define WARPFIBER_ROW(T, size, alignment) {#T, sizeof(T), alignof(T), size, alignment},
constexpr Layout kLayouts[] = {
    // clang-format off
    WARPFIBER_ROW(char1, 1, 1)
    WARPFIBER_ROW(char2, 2, 2)
    WARPFIBER_ROW(char3, 3, 1)
    WARPFIBER_ROW(char4, 4, 4)
    WARPFIBER_ROW(uchar1, 1, 1)
    WARPFIBER_ROW(uchar2, 2, 2)
    WARPFIBER_ROW(uchar3, 3, 1)
    WARPFIBER_ROW(uchar4, 4, 4)
    WARPFIBER_ROW(short1, 2, 2)
    WARPFIBER_ROW(short2, 4, 4)
    WARPFIBER_ROW(short3, 6, 2)
    WARPFIBER_ROW(short4, 8, 8)
    WARPFIBER_ROW(ushort1, 2, 2)
    WARPFIBER_ROW(ushort2, 4, 4)
    WARPFIBER_ROW(ushort3, 6, 2)
    WARPFIBER_ROW(ushort4, 8, 8)
    WARPFIBER_ROW(int1, 4, 4)
    WARPFIBER_ROW(int2, 8, 8)
    WARPFIBER_ROW(int3, 12, 4)
    WARPFIBER_ROW(int4, 16, 16)
    WARPFIBER_ROW(uint1, 4, 4)
    WARPFIBER_ROW(uint2, 8, 8)
    WARPFIBER_ROW(uint3, 12, 4)
    WARPFIBER_ROW(uint4, 16, 16)
    WARPFIBER_ROW(long1, 8, 8)
    WARPFIBER_ROW(long2, 16, 16)
    WARPFIBER_ROW(long3, 24, 8)
    WARPFIBER_ROW(long4, 32, 16)
    WARPFIBER_ROW(ulong1, 8, 8)
    WARPFIBER_ROW(ulong2, 16, 16)
    WARPFIBER_ROW(ulong3, 24, 8)
    WARPFIBER_ROW(ulong4, 32, 16)
    WARPFIBER_ROW(longlong1, 8, 8)
    WARPFIBER_ROW(longlong2, 16, 16)
    WARPFIBER_ROW(longlong3, 24, 8)
    WARPFIBER_ROW(longlong4, 32, 16)
    WARPFIBER_ROW(ulonglong1, 8, 8)
    WARPFIBER_ROW(ulonglong2, 16, 16)
    WARPFIBER_ROW(ulonglong3, 24, 8)
    WARPFIBER_ROW(ulonglong4, 32, 16)
    WARPFIBER_ROW(float1, 4, 4)
    WARPFIBER_ROW(float2, 8, 8)
    WARPFIBER_ROW(float3, 12, 4)
    WARPFIBER_ROW(float4, 16, 16)
    WARPFIBER_ROW(double1, 8, 8)
    WARPFIBER_ROW(double2, 16, 16)
    WARPFIBER_ROW(double3, 24, 8)
    WARPFIBER_ROW(double4, 32, 16)
    WARPFIBER_ROW(long4_16a, 32, 16)
    WARPFIBER_ROW(long4_32a, 32, 32)
    WARPFIBER_ROW(ulong4_16a, 32, 16)
    WARPFIBER_ROW(ulong4_32a, 32, 32)
    WARPFIBER_ROW(longlong4_16a, 32, 16)
    WARPFIBER_ROW(longlong4_32a, 32, 32)
    WARPFIBER_ROW(ulonglong4_16a, 32, 16)
    WARPFIBER_ROW(ulonglong4_32a, 32, 32)
    WARPFIBER_ROW(double4_16a, 32, 16)
    WARPFIBER_ROW(double4_32a, 32, 32)
    WARPFIBER_ROW(dim3, 12, 4)
    // clang-format on
};
#undef WARPFIBER_ROW

struct Configuration {
  dim3 grid{1};
  dim3 block{1};
};

}  // namespace

TEST_CASE("vector types have the size and alignment nvcc gives them") {
  for (const Layout& row : kLayouts) {
    INFO(row.name);
    CHECK(row.size == row.expected_size);
    CHECK(row.alignment == row.expected_alignment);
  }
}

TEST_CASE("vector types are plain aggregates") {
  STATIC_REQUIRE(std::is_aggregate_v<float4>);
  STATIC_REQUIRE(std::is_trivial_v<uchar3>);
  STATIC_REQUIRE(std::is_same_v<decltype(char1::x), signed char>);
  const double2 pair = {1, 2};
  CHECK(pair.x + pair.y == 3);
}

TEST_CASE("make functions put every argument in its place") {
  constexpr float4 four = make_float4(1, 2, 3, 4);
  STATIC_REQUIRE(four.x == 1);
  STATIC_REQUIRE(four.w == 4);
  STATIC_REQUIRE(make_uchar3(1, 2, 255).z == 255);
  STATIC_REQUIRE(make_short2(-1, 2).x == -1);
  STATIC_REQUIRE(make_int1(7).x == 7);
  STATIC_REQUIRE(make_double4_32a(1, 2, 3, 4).y == 2);
  STATIC_REQUIRE(make_longlong4_16a(1, 2, 3, 4).z == 3);
}

TEST_CASE("dim3 takes the extents that are given and 1 for the others") {
  STATIC_REQUIRE(std::is_trivially_copyable_v<dim3>);
  const Configuration flat{.grid = 64, .block = {16, 8}};
  CHECK(flat.grid.x == 64);
  CHECK(flat.grid.y == 1);
  CHECK(flat.block.y == 8);
  CHECK(flat.block.z == 1);
  const dim3 none;
  CHECK(none.x * none.y * none.z == 1);
}

TEST_CASE("dim3 and uint3 convert into each other") {
  const dim3 from = make_uint3(1, 2, 3);
  const uint3 to = from;
  CHECK(to.x == 1);
  CHECK(to.y == 2);
  CHECK(to.z == 3);
}
