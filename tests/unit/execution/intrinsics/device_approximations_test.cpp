// SPDX-License-Identifier: Apache-2.0
//
// The device's approximations against what an H200 returned (driver 580.159.04, CUDA 13.0): hashes over all fractions
// of a binade or two, and over numbers of all sizes, signs and kinds.
#include "intrinsics/device_approximations.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "support/catch.hpp"

namespace {

using namespace warpfiber::intrinsics;
using Function = float (*)(float) noexcept;

class Hash {
 public:
  void add(float x) { hash_ = (hash_ ^ std::bit_cast<std::uint32_t>(x)) * 0x100000001b3; }
  std::uint64_t value() const { return hash_; }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325;
};

/// Of `count` floats from `first` on.
std::uint64_t hash_from(Function function, float first, std::uint32_t count) {
  Hash hash;
  const auto begin = std::bit_cast<std::uint32_t>(first);
  for (std::uint32_t i = 0; i < count; ++i) hash.add(function(std::bit_cast<float>(begin + i)));
  return hash.value();
}

/// Numbers that were drawn for the recording.
class Arguments {
 public:
  float any() {
    const std::uint32_t bits = next();
    return std::bit_cast<float>((state_ & 7) == 0 ? bits : bits & 0x7fffffff);
  }
  float exponent() {
    const auto x = static_cast<float>(static_cast<std::int32_t>(next())) * 0x1p-31F;
    return x * ((state_ & 1) != 0 ? 30 : (state_ & 2) != 0 ? 2 : (state_ & 4) != 0 ? 150 : 0x1p-6F);
  }

 private:
  std::uint32_t next() {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return static_cast<std::uint32_t>(state_ >> 20);
  }

  std::uint64_t state_ = 88172645463325252;
};

template <class Draw>
std::uint64_t hash_of_drawn(Function function, Draw draw) {
  Hash hash;
  for (int i = 0; i < 1 << 19; ++i) hash.add(function(draw()));
  return hash.value();
}

constexpr std::uint32_t kBinade = 1u << 23;
constexpr float kInfinity = std::numeric_limits<float>::infinity();

}  // namespace

TEST_CASE("approximations of every fraction are a device's") {
  CHECK(hash_from(device_log2, 1, kBinade) == 0x5ca43d6b0d176848);
  CHECK(hash_from(device_log2, 0.5, kBinade) == 0xf8884f097b12e53d);
  CHECK(hash_from(device_exp2, 1, kBinade) == 0x3f0f3852f2fa7edb);
  CHECK(hash_from(device_reciprocal_root, 1, 2 * kBinade) == 0xbdf1cb386ee78bc2);
  CHECK(hash_from(device_reciprocal, 1, kBinade) == 0xfa72a6c698274964);
}

TEST_CASE("approximations for numbers of all sizes are a device's") {
  Arguments arguments;
  const auto any = [&] { return arguments.any(); };
  CHECK(hash_of_drawn(device_log2, any) == 0x70efc067d3e33bd4);
  CHECK(hash_of_drawn(device_exp2, [&] { return arguments.exponent(); }) == 0x1a31df979b8e0c5d);
  CHECK(hash_of_drawn(device_reciprocal_root, any) == 0xb637178107fded50);
  CHECK(hash_of_drawn(device_reciprocal, any) == 0x0b64bbbb1d6f89d0);
}

TEST_CASE("approximations at the ends of their domains") {
  CHECK(device_log2(0x1p-127F) == -kInfinity);
  CHECK(device_log2(kInfinity) == kInfinity);
  CHECK(std::isnan(device_log2(-1)));
  CHECK(device_log2(1) == 0);
  CHECK(device_exp2(128) == kInfinity);
  CHECK(device_exp2(-126) == 0x1p-126F);
  CHECK(device_exp2(-126.5F) == 0);
  CHECK(device_exp2(-kInfinity) == 0);
  CHECK(device_reciprocal(-0x1p-127F) == -kInfinity);
  CHECK(device_reciprocal(0x1.8p126F) == 0);
  CHECK(std::signbit(device_reciprocal(-kInfinity)));
  CHECK(device_reciprocal_root(4) == 0.5F);
  CHECK(device_reciprocal_root(0) == kInfinity);
  CHECK(device_reciprocal_root(kInfinity) == 0);
}
