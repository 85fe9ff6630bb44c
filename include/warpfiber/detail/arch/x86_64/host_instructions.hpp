// SPDX-License-Identifier: Apache-2.0
// Instructions of x86-64 beyond its first level. Each may only run where the processor has it.
#pragma once

namespace warpfiber::detail::arch {

/// That some processors have them, so that programs ask; and which the translation unit is compiled for.
inline constexpr bool kMayHaveInstructions = true;
#ifdef __FMA__
inline constexpr bool kAlwaysHasFma = true;
#else
inline constexpr bool kAlwaysHasFma = false;
#endif
#ifdef __F16C__
inline constexpr bool kAlwaysHasF16c = true;
#else
inline constexpr bool kAlwaysHasF16c = false;
#endif
#ifdef __POPCNT__
inline constexpr bool kAlwaysHasPopcnt = true;
#else
inline constexpr bool kAlwaysHasPopcnt = false;
#endif

inline __attribute__((always_inline)) float fused_multiply_add(float x, float y, float z) noexcept {
  asm("vfmadd213ss %2, %1, %0" : "+x"(x) : "x"(y), "x"(z));
  return x;
}
inline __attribute__((always_inline)) double fused_multiply_add(double x, double y, double z) noexcept {
  asm("vfmadd213sd %2, %1, %0" : "+x"(x) : "x"(y), "x"(z));
  return x;
}

inline __attribute__((always_inline)) int population_count(unsigned long long x) noexcept {
  asm("popcnt %0, %0" : "+r"(x) : : "cc");
  return static_cast<int>(x);
}

using FourWords = unsigned __attribute__((vector_size(16)));

inline __attribute__((always_inline)) float half_to_float(unsigned short bits) noexcept {
  const FourWords packed{bits};
  float number;
  asm("vcvtph2ps %1, %0" : "=x"(number) : "x"(packed));
  return number;
}
inline __attribute__((always_inline)) unsigned short float_to_half(float number) noexcept {
  FourWords packed;
  asm("vcvtps2ph $0, %1, %0" : "=x"(packed) : "x"(number));
  return static_cast<unsigned short>(packed[0]);
}

}  // namespace warpfiber::detail::arch
