// SPDX-License-Identifier: Apache-2.0
// What the processor does in one instruction, against what stands in for it where it cannot.
#include <cuda_fp16.h>
#include <warpfiber/intrinsics/integer.hpp>
#include <warpfiber/intrinsics/math.hpp>

#include <cmath>
#include <cstdint>

#include "base/random.hpp"
#include "support/catch.hpp"

using namespace warpfiber;
using narrow::Bits;

namespace {

constexpr int kSamples = 200'000;
constexpr unsigned kAllBits = 1U << 16;

std::uint64_t next(base::Random& random) {
  return random.below(std::uint64_t{1} << 32) << 32 | random.below(std::uint64_t{1} << 32);
}

template <class Format>
bool fuses_alike(Bits a, Bits b, Bits c) {
  const float x = narrow::widened_in_integers<Format>(a);
  const float y = narrow::widened_in_integers<Format>(b);
  const float z = narrow::widened_in_integers<Format>(c);
  return narrow::fused<Format>(x, y, z) == narrow::fused_in_double<Format>(x, y, z);
}

}  // namespace

TEST_CASE("every half becomes the same float by an instruction and in integers") {
  bool alike = true;
  for (unsigned bits = 0; bits < kAllBits; ++bits) {
    const auto pattern = static_cast<Bits>(bits);
    const auto by_instruction = __builtin_bit_cast(std::uint32_t, narrow::widened<narrow::Half>(pattern));
    const auto in_integers = __builtin_bit_cast(std::uint32_t, narrow::widened_in_integers<narrow::Half>(pattern));
    alike = alike && by_instruction == in_integers;
  }
  CHECK(alike);
}

TEST_CASE("floats become the same half by an instruction and in integers") {
  bool alike = true;
  base::Random random(1);
  for (int i = 0; i < kSamples; ++i) {
    // Most floats are too large or too small for a half, so every other one is near the middle of two halves.
    const auto any = static_cast<std::uint32_t>(next(random));
    const float middle = narrow::widened_in_integers<narrow::Half>(static_cast<Bits>(any));
    const std::uint32_t close = __builtin_bit_cast(std::uint32_t, middle) + 0x1000 + (any >> 16) % 3 - 1;
    const float x = __builtin_bit_cast(float, i % 2 == 0 ? any : close);
    alike = alike && narrow::nearest_bits<narrow::Half>(x) == narrow::nearest_in_integers<narrow::Half>(x);
  }
  CHECK(alike);
}

TEST_CASE("a fused multiply-add of 16 bits is the same in float and in double") {
  bool alike = true;
  base::Random random(2);
  for (int i = 0; i < kSamples; ++i) {
    const std::uint64_t any = next(random);
    const auto a = static_cast<Bits>(any);
    const auto b = static_cast<Bits>(any >> 16);
    const auto c = static_cast<Bits>(any >> 32);
    // Of like size as well: far apart, the sum is one of its terms.
    const auto beside = static_cast<Bits>((b & 0x83ff) | 0x3c00);
    alike = alike && fuses_alike<narrow::Half>(a, b, c);
    alike = alike && fuses_alike<narrow::Half>(a, beside, static_cast<Bits>((c & 0x83ff) | (a & 0x7c00)));
    alike = alike && fuses_alike<narrow::Bfloat>(a, b, c);
    alike = alike && fuses_alike<narrow::Bfloat>(a, static_cast<Bits>((b & 0x807f) | 0x3f80),
                                                 static_cast<Bits>((c & 0x807f) | (a & 0x7f80)));
  }
  CHECK(alike);
}

TEST_CASE("a fused multiply-add is the C library's") {
  bool alike = true;
  base::Random random(3);
  for (int i = 0; i < kSamples; ++i) {
    const double x = std::ldexp(static_cast<double>(next(random) >> 11), -52);
    const double y = std::ldexp(static_cast<double>(next(random) >> 11), -52);
    const double z = -x * y;
    alike = alike && detail::fused(x, y, z) == detail::fused_by_library(x, y, z);
    alike = alike && __fma_rn(x, y, z) == detail::fused_by_library(x, y, z);
    const auto small_x = static_cast<float>(x);
    const auto small_y = static_cast<float>(y);
    const float small_z = -small_x * small_y;
    alike = alike && ::fmaf(small_x, small_y, small_z) == detail::fused_by_library(small_x, small_y, small_z);
    alike = alike && __fmaf_rn(small_x, small_y, small_z) == detail::fused_by_library(small_x, small_y, small_z);
  }
  CHECK(alike);
}

TEST_CASE("bits are counted alike by the compiler and the processor") {
  bool alike = true;
  static_assert(__popc(0xf0f0U) == 8 && __popcll(~0ULL) == 64);
  base::Random random(4);
  for (int i = 0; i < kSamples; ++i) {
    const std::uint64_t any = next(random);
    alike = alike && __popcll(any) == __builtin_popcountll(any);
    alike = alike && __popc(static_cast<unsigned>(any)) == __builtin_popcount(static_cast<unsigned>(any));
  }
  CHECK(alike);
}
