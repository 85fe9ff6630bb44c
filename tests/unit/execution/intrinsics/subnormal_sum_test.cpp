// SPDX-License-Identifier: Apache-2.0
//
// Where atomic sums of floats keep subnormal numbers and where they take them for zeroes, by kind of memory and form.
// The expected bits of kRows are what an H200 printed (tests/conformance/golden/atomics.txt holds many more).
#include <warpfiber/intrinsics/nv_atomics.hpp>

#include <cmath>
#include <vector>

#include "support/launches.hpp"

namespace {

using warpfiber::Buffer;
using warpfiber::test::good_launch;

unsigned bits(float number) {
  return __builtin_bit_cast(unsigned, number);
}
float number(unsigned bits) {
  return __builtin_bit_cast(float, bits);
}

struct Row {
  unsigned old, value, global, shared;
};

constexpr Row kRows[] = {
    {0x00000000, 0x00000001, 0x00000000, 0x00000001}, {0x80000000, 0x00000001, 0x00000000, 0x00000001},
    {0x00000001, 0x00000000, 0x00000000, 0x00000001}, {0x00000001, 0x80000000, 0x00000000, 0x00000001},
    {0x00000001, 0x00000001, 0x00000000, 0x00000002}, {0x00000001, 0x00800000, 0x00800000, 0x00800001},
    {0x00000001, 0x80c00000, 0x80c00000, 0x80bfffff}, {0x00800000, 0x80c00000, 0x80000000, 0x80400000},
    {0x80c00000, 0x00800000, 0x80000000, 0x80400000}, {0x00000001, 0x7f800000, 0x7f800000, 0x7f800000},
    {0x00800000, 0x00800000, 0x01000000, 0x01000000}, {0x00000001, 0x4b800000, 0x4b800000, 0x4b800000},
};

enum class Form { plain, block, system, pair, quad, ordered_add, ordered_subtract };

float sum(Form form, float* four, float value) {
  const unsigned last = 3;
  switch (form) {
    case Form::plain: return atomicAdd(four, value);
    case Form::block: return atomicAdd_block(four, value);
    case Form::system: return atomicAdd_system(four, value);
    case Form::pair: return atomicAdd(reinterpret_cast<float2*>(four), {value, 0}).x;
    case Form::quad: {
      const float other = four[0];
      four[0] = 1;
      four[last] = other;
      const float old = atomicAdd(reinterpret_cast<float4*>(four), {0, 0, 0, value}).w;
      four[0] = four[last];
      return old;
    }
    case Form::ordered_add: return __nv_atomic_fetch_add(four, value, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_BLOCK);
    case Form::ordered_subtract:
      return __nv_atomic_fetch_sub(four, -value, __NV_ATOMIC_SEQ_CST, __NV_THREAD_SCOPE_DEVICE);
  }
  return 0;
}

struct Seen {
  unsigned old, stored;
};

Seen try_sum(Form form, float* four, const Row& row) {
  for (int i = 0; i < 4; ++i) four[i] = 1;
  four[0] = number(row.old);
  const float old = sum(form, four, number(row.value));
  return {bits(old), bits(four[0])};
}

constexpr Form kForms[] = {Form::plain, Form::block,       Form::system,          Form::pair,
                           Form::quad,  Form::ordered_add, Form::ordered_subtract};

}  // namespace

TEST_CASE("sums in global memory flush subnormal numbers, sums in shared memory keep them") {
  const Form form = kForms[GENERATE(range(std::size_t{0}, std::size(kForms)))];
  const unsigned blocks_of_cluster = GENERATE(1U, 2U);
  for (const Row& row : kRows) {
    Buffer<Seen> seen(4);
    Buffer<float4> global(1);
    good_launch({.grid = 2, .block = 1, .dynamic_shared = 16, .cluster = blocks_of_cluster},
                [form, row, seen = seen.data(), global = global.data()] {
                  auto& own = warpfiber::shared<float4, struct sum_place>();
                  warpfiber::sync_cluster();
                  if (blockIdx.x == 0) {
                    const unsigned neighbour = warpfiber::cluster_size() - 1;
                    seen[0] = try_sum(form, &global->x, row);
                    seen[1] = try_sum(form, &own.x, row);
                    seen[2] = try_sum(form, warpfiber::dynamic_shared<float>(), row);
                    seen[3] = try_sum(form, &warpfiber::map_shared_rank(&own, neighbour)->x, row);
                  }
                  warpfiber::sync_cluster();
                });
    INFO("form " << static_cast<int>(form) << ", " << std::hex << row.old << " + " << row.value);
    const std::vector<Seen> places = seen.download();
    CHECK(places[0].stored == row.global);
    for (int place = 1; place < 4; ++place) CHECK(places[place].stored == row.shared);
    for (const Seen& place : places) CHECK(place.old == row.old);
  }
}

TEST_CASE("sums of doubles keep subnormal numbers everywhere") {
  Buffer<double> cell(std::vector<double>{5e-324});
  good_launch({}, [cell = cell.data()] { atomicAdd(cell, 5e-324); });
  CHECK(cell.download()[0] == 1e-323);
}

TEST_CASE("host code outside kernels keeps subnormal numbers") {
  for (const Row& row : kRows) {
    float four[4];
    CHECK(try_sum(Form::plain, four, row).stored == row.shared);
  }
}

TEST_CASE("minus zero less zero is plus zero") {
  float single = -0.0F;
  double wide = -0.0;
  __nv_atomic_sub(&single, 0.0F, __NV_ATOMIC_RELAXED);
  __nv_atomic_sub(&wide, 0.0, __NV_ATOMIC_RELAXED);
  CHECK_FALSE(std::signbit(single));
  CHECK_FALSE(std::signbit(wide));
}
