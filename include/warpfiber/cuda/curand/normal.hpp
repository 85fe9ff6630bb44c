// SPDX-License-Identifier: Apache-2.0
//
// curand_normal, curand_log_normal and their forms. Pseudorandom generators make two numbers of two by the method of
// Box and Muller ("A note on the generation of random normal deviates", 1958) and keep the second for the next call;
// quasirandom ones invert the distribution, so that one number stays one. The draws are those of the device. Its fast
// sine and cosine are not modelled, so the last bits of results differ (warpfiber fidelity).
#pragma once

#include <warpfiber/cuda/curand/uniform.hpp>
#include <warpfiber/intrinsics/math.hpp>

namespace warpfiber::random {

inline constexpr float kTwoPi = 6.2831855F;

/// Both numbers of a radius that belongs to `u` and of an angle. The device's fast sine is for single precision only.
inline float2 polar(float u, float angle) noexcept {
  const float radius = sqrtf(-2 * logf(u));
  float sine = 0;
  float cosine = 0;
  sincosf(angle, &sine, &cosine);
  return {sine * radius, cosine * radius};
}
/// `turns` is the angle in units of pi.
inline double2 polar_double(double u, double turns) noexcept {
  const double radius = sqrt(-2 * log(u));
  double sine = 0;
  double cosine = 0;
  sincospi(turns, &sine, &cosine);
  return {sine * radius, cosine * radius};
}

inline float2 normal_pair(unsigned int x, unsigned int y) noexcept {
  constexpr float kAngle = 0x1p-32F * kTwoPi;
  return polar(unit(x), fmaf(static_cast<float>(y), kAngle, kAngle / 2));
}
inline double2 normal_pair_double(uint4 bits) noexcept {
  const unsigned long long turns = bits.z ^ static_cast<unsigned long long>(bits.w) << 21;
  return polar_double(unit_double(bits.x, bits.y), static_cast<double>(turns) * 0x1p-52 + 0x1p-53);
}

/// The number below which a normal number is with the probability p, from 0 to 1/2.
double normal_quantile(double p) noexcept;

/// The inverse of the distribution, from the nearer end of it.
inline float inverse_normal(unsigned int bits) noexcept {
  const bool upper = bits > 0x80000000u;
  const auto x = static_cast<float>(normal_quantile(unit(upper ? ~bits : bits)));
  return upper ? -x : x;
}
inline double inverse_normal_double(unsigned long long bits) noexcept {
  const bool upper = bits > 0x8000000000000000u;
  const double x = normal_quantile(unit_double(upper ? ~bits : bits));
  return upper ? -x : x;
}
inline double inverse_normal_double(unsigned int bits) noexcept {
  const bool upper = bits > 0x80000000u;
  const double x = normal_quantile((upper ? ~bits : bits) * 0x1p-32 + 0x1p-33);
  return upper ? -x : x;
}

template <class State>
float2 draw_pair(State* state) noexcept {
  const unsigned int x = curand(state);
  return normal_pair(x, curand(state));
}
inline float2 draw_pair(curandStateMRG32k3a* state) noexcept {
  const float u = curand_uniform(state);
  return polar(u, curand_uniform(state) * kTwoPi);
}
inline double2 draw_pair_double(curandStateXORWOW* state) noexcept {
  uint4 bits;
  bits.x = curand(state);
  bits.y = curand(state);
  bits.z = curand(state);
  bits.w = curand(state);
  return normal_pair_double(bits);
}
inline double2 draw_pair_double(curandStatePhilox4_32_10* state) noexcept {
  return normal_pair_double(curand4(state));
}
inline double2 draw_pair_double(curandStateMRG32k3a* state) noexcept {
  const double u = curand_uniform_double(state);
  return polar_double(u, curand_uniform_double(state) * 2);
}

/// e^(mean + deviation * x).
inline float log_normal(float x, float mean, float deviation) noexcept {
  return expf(fmaf(deviation, x, mean));
}
inline double log_normal(double x, double mean, double deviation) noexcept {
  return exp(fma(deviation, x, mean));
}

// Which kind of number a state keeps. Another kind is not made of it, but drawn anew.
inline constexpr int kNormal = 1;
inline constexpr int kLogNormal = 2;

/// The number that is kept, if it is of this kind, and else `of` the first of a new pair; `of` the second is kept.
template <class State, class Of>
float draw_kept(State* state, int kind, Of of) noexcept {
  if (state->boxmuller_flag == kind) {
    state->boxmuller_flag = 0;
    return state->boxmuller_extra;
  }
  const float2 pair = draw_pair(state);
  state->boxmuller_flag = kind;
  state->boxmuller_extra = of(pair.y);
  return of(pair.x);
}
template <class State, class Of>
double draw_kept_double(State* state, int kind, Of of) noexcept {
  if (state->boxmuller_flag_double == kind) {
    state->boxmuller_flag_double = 0;
    return state->boxmuller_extra_double;
  }
  const double2 pair = draw_pair_double(state);
  state->boxmuller_flag_double = kind;
  state->boxmuller_extra_double = of(pair.y);
  return of(pair.x);
}

}  // namespace warpfiber::random

#define WARPFIBER_NORMAL_IN_PAIRS(State)                                                               \
  inline float curand_normal(State* state) {                                                           \
    using namespace warpfiber::random;                                                                 \
    return draw_kept(state, kNormal, [](float x) { return x; });                                       \
  }                                                                                                    \
  inline float2 curand_normal2(State* state) {                                                         \
    return warpfiber::random::draw_pair(state);                                                        \
  }                                                                                                    \
  inline double curand_normal_double(State* state) {                                                   \
    using namespace warpfiber::random;                                                                 \
    return draw_kept_double(state, kNormal, [](double x) { return x; });                               \
  }                                                                                                    \
  inline double2 curand_normal2_double(State* state) {                                                 \
    return warpfiber::random::draw_pair_double(state);                                                 \
  }                                                                                                    \
  inline float curand_log_normal(State* state, float mean, float stddev) {                             \
    using namespace warpfiber::random;                                                                 \
    return draw_kept(state, kLogNormal, [=](float x) { return log_normal(x, mean, stddev); });         \
  }                                                                                                    \
  inline double curand_log_normal_double(State* state, double mean, double stddev) {                   \
    using namespace warpfiber::random;                                                                 \
    return draw_kept_double(state, kLogNormal, [=](double x) { return log_normal(x, mean, stddev); }); \
  }                                                                                                    \
  inline float2 curand_log_normal2(State* state, float mean, float stddev) {                           \
    using warpfiber::random::log_normal;                                                               \
    const float2 pair = curand_normal2(state);                                                         \
    return {log_normal(pair.x, mean, stddev), log_normal(pair.y, mean, stddev)};                       \
  }                                                                                                    \
  inline double2 curand_log_normal2_double(State* state, double mean, double stddev) {                 \
    using warpfiber::random::log_normal;                                                               \
    const double2 pair = curand_normal2_double(state);                                                 \
    return {log_normal(pair.x, mean, stddev), log_normal(pair.y, mean, stddev)};                       \
  }
#define WARPFIBER_INVERSE_NORMAL(State, bits_of_float)                               \
  inline float curand_normal(State* state) {                                         \
    return warpfiber::random::inverse_normal(bits_of_float(curand(state)));          \
  }                                                                                  \
  inline double curand_normal_double(State* state) {                                 \
    return warpfiber::random::inverse_normal_double(curand(state));                  \
  }                                                                                  \
  inline float curand_log_normal(State* state, float mean, float stddev) {           \
    return warpfiber::random::log_normal(curand_normal(state), mean, stddev);        \
  }                                                                                  \
  inline double curand_log_normal_double(State* state, double mean, double stddev) { \
    return warpfiber::random::log_normal(curand_normal_double(state), mean, stddev); \
  }
#define WARPFIBER_LOW_BITS(bits) (bits)
#define WARPFIBER_HIGH_BITS(bits) static_cast<unsigned int>((bits) >> 32)

WARPFIBER_NORMAL_IN_PAIRS(curandStateXORWOW_t)
WARPFIBER_NORMAL_IN_PAIRS(curandStatePhilox4_32_10_t)
WARPFIBER_NORMAL_IN_PAIRS(curandStateMRG32k3a_t)
WARPFIBER_INVERSE_NORMAL(curandStateSobol32_t, WARPFIBER_LOW_BITS)
WARPFIBER_INVERSE_NORMAL(curandStateScrambledSobol32_t, WARPFIBER_LOW_BITS)
WARPFIBER_INVERSE_NORMAL(curandStateSobol64_t, WARPFIBER_HIGH_BITS)
WARPFIBER_INVERSE_NORMAL(curandStateScrambledSobol64_t, WARPFIBER_HIGH_BITS)

#undef WARPFIBER_LOW_BITS
#undef WARPFIBER_HIGH_BITS
#undef WARPFIBER_INVERSE_NORMAL
#undef WARPFIBER_NORMAL_IN_PAIRS

inline float4 curand_normal4(curandStatePhilox4_32_10_t* state) {
  const uint4 bits = curand4(state);
  const float2 first = warpfiber::random::normal_pair(bits.x, bits.y);
  const float2 second = warpfiber::random::normal_pair(bits.z, bits.w);
  return {first.x, first.y, second.x, second.y};
}
inline double4 curand_normal4_double(curandStatePhilox4_32_10_t* state) {
  const double2 first = curand_normal2_double(state);
  const double2 second = curand_normal2_double(state);
  return {first.x, first.y, second.x, second.y};
}
inline float4 curand_log_normal4(curandStatePhilox4_32_10_t* state, float mean, float stddev) {
  using warpfiber::random::log_normal;
  const float4 x = curand_normal4(state);
  return {log_normal(x.x, mean, stddev), log_normal(x.y, mean, stddev), log_normal(x.z, mean, stddev),
          log_normal(x.w, mean, stddev)};
}
inline double4 curand_log_normal4_double(curandStatePhilox4_32_10_t* state, double mean, double stddev) {
  using warpfiber::random::log_normal;
  const double4 x = curand_normal4_double(state);
  return {log_normal(x.x, mean, stddev), log_normal(x.y, mean, stddev), log_normal(x.z, mean, stddev),
          log_normal(x.w, mean, stddev)};
}
