// SPDX-License-Identifier: Apache-2.0
//
// curand_uniform and its forms: numbers of 32 or 64 bits become floating-point numbers in (0, 1]. Each is rounded as
// the device does it, so results are equal bit for bit.
#pragma once

#include <warpfiber/cuda/curand/mrg32k3a.hpp>
#include <warpfiber/cuda/curand/philox.hpp>
#include <warpfiber/cuda/curand/sobol.hpp>
#include <warpfiber/cuda/curand/xorwow.hpp>

namespace warpfiber::random {

/// The middle of the 2^-32 that `bits` stands for.
inline float unit(unsigned int bits) noexcept {
  return static_cast<float>(bits) * 0x1p-32F + 0x1p-33F;
}
/// The end of it.
inline double unit_double(unsigned int bits) noexcept {
  return bits * 0x1p-32 + 0x1p-32;
}
/// The middle of a 2^-53. Of the 64 bits two pairs are combined.
inline double unit_double(unsigned int x, unsigned int y) noexcept {
  const unsigned long long bits = x ^ static_cast<unsigned long long>(y) << 21;
  return static_cast<double>(bits) * 0x1p-53 + 0x1p-54;
}
inline double unit_double(unsigned long long bits) noexcept {
  return static_cast<double>(bits >> 11) * 0x1p-53 + 0x1p-54;
}

}  // namespace warpfiber::random

inline float curand_uniform(curandStateXORWOW_t* state) {
  return warpfiber::random::unit(curand(state));
}
inline float curand_uniform(curandStatePhilox4_32_10_t* state) {
  return warpfiber::random::unit(curand(state));
}
inline float curand_uniform(curandStateMRG32k3a_t* state) {
  return static_cast<float>(warpfiber::random::next_mrg32k3a(state) * warpfiber::random::kMrg32k3aUnit);
}
inline float curand_uniform(curandStateSobol32_t* state) {
  return warpfiber::random::unit(curand(state));
}
inline float curand_uniform(curandStateScrambledSobol32_t* state) {
  return warpfiber::random::unit(curand(state));
}
inline float curand_uniform(curandStateSobol64_t* state) {
  return warpfiber::random::unit(static_cast<unsigned int>(curand(state) >> 32));
}
inline float curand_uniform(curandStateScrambledSobol64_t* state) {
  return warpfiber::random::unit(static_cast<unsigned int>(curand(state) >> 32));
}

inline double curand_uniform_double(curandStateXORWOW_t* state) {
  const unsigned int low = curand(state);
  return warpfiber::random::unit_double(low, curand(state));
}
/// Of 32 bits only; curand_uniform2_double uses 53.
inline double curand_uniform_double(curandStatePhilox4_32_10_t* state) {
  return warpfiber::random::unit_double(curand(state));
}
/// Of 32 bits only, as MRG32k3a makes them.
inline double curand_uniform_double(curandStateMRG32k3a_t* state) {
  return warpfiber::random::next_mrg32k3a(state) * warpfiber::random::kMrg32k3aUnit;
}
/// Of 32 bits only: a dimension has no second number for the lower half.
inline double curand_uniform_double(curandStateSobol32_t* state) {
  return warpfiber::random::unit_double(curand(state));
}
inline double curand_uniform_double(curandStateScrambledSobol32_t* state) {
  return warpfiber::random::unit_double(curand(state));
}
inline double curand_uniform_double(curandStateSobol64_t* state) {
  return warpfiber::random::unit_double(curand(state));
}
inline double curand_uniform_double(curandStateScrambledSobol64_t* state) {
  return warpfiber::random::unit_double(curand(state));
}

inline float4 curand_uniform4(curandStatePhilox4_32_10_t* state) {
  using warpfiber::random::unit;
  const uint4 bits = curand4(state);
  return {unit(bits.x), unit(bits.y), unit(bits.z), unit(bits.w)};
}
inline double2 curand_uniform2_double(curandStatePhilox4_32_10_t* state) {
  using warpfiber::random::unit_double;
  const uint4 bits = curand4(state);
  return {unit_double(bits.x, bits.y), unit_double(bits.z, bits.w)};
}
inline double4 curand_uniform4_double(curandStatePhilox4_32_10_t* state) {
  const double2 first = curand_uniform2_double(state);
  const double2 second = curand_uniform2_double(state);
  return {first.x, first.y, second.x, second.y};
}
