// SPDX-License-Identifier: Apache-2.0
//
// CUDA's DPX functions, the steps of dynamic programs: minima and maxima of two or three numbers or of a sum and a
// number, optionally not below zero (_relu) or with the winner reported (__vib*), on one 32-bit number or on two 16-bit
// ones (CUDA C++ Programming Guide, "DPX"). Sums wrap around. Kernels and host code may call all of them.
#pragma once

#include <warpfiber/intrinsics/min_max.hpp>
#include <warpfiber/intrinsics/simd.hpp>

namespace warpfiber::intrinsics {

constexpr int dpx_sum(int a, int b) noexcept {
  return static_cast<int>(static_cast<unsigned>(a) + static_cast<unsigned>(b));
}
constexpr unsigned dpx_sum(unsigned a, unsigned b) noexcept {
  return a + b;
}

}  // namespace warpfiber::intrinsics

// One operation, `min` or `max`, with the lanewise forms of it for signed and unsigned halfwords and its comparison.
#define WARPFIBER_DPX(op, halves_s, halves_u, wins, halves_win_s, halves_win_u)                                        \
  constexpr int __vi##op##_s32_relu(int a, int b) noexcept {                                                           \
    return max(op(a, b), 0);                                                                                           \
  }                                                                                                                    \
  constexpr unsigned int __vi##op##_s16x2_relu(unsigned int a, unsigned int b) noexcept {                              \
    return __vmaxs2(halves_s(a, b), 0);                                                                                \
  }                                                                                                                    \
  constexpr int __vi##op##3_s32(int a, int b, int c) noexcept {                                                        \
    return op(op(a, b), c);                                                                                            \
  }                                                                                                                    \
  constexpr unsigned int __vi##op##3_u32(unsigned int a, unsigned int b, unsigned int c) noexcept {                    \
    return op(op(a, b), c);                                                                                            \
  }                                                                                                                    \
  constexpr unsigned int __vi##op##3_s16x2(unsigned int a, unsigned int b, unsigned int c) noexcept {                  \
    return halves_s(halves_s(a, b), c);                                                                                \
  }                                                                                                                    \
  constexpr unsigned int __vi##op##3_u16x2(unsigned int a, unsigned int b, unsigned int c) noexcept {                  \
    return halves_u(halves_u(a, b), c);                                                                                \
  }                                                                                                                    \
  constexpr int __vi##op##3_s32_relu(int a, int b, int c) noexcept {                                                   \
    return max(op(op(a, b), c), 0);                                                                                    \
  }                                                                                                                    \
  constexpr unsigned int __vi##op##3_s16x2_relu(unsigned int a, unsigned int b, unsigned int c) noexcept {             \
    return __vmaxs2(halves_s(halves_s(a, b), c), 0);                                                                   \
  }                                                                                                                    \
  constexpr int __viadd##op##_s32(int a, int b, int c) noexcept {                                                      \
    return op(warpfiber::intrinsics::dpx_sum(a, b), c);                                                                \
  }                                                                                                                    \
  constexpr unsigned int __viadd##op##_u32(unsigned int a, unsigned int b, unsigned int c) noexcept {                  \
    return op(warpfiber::intrinsics::dpx_sum(a, b), c);                                                                \
  }                                                                                                                    \
  constexpr unsigned int __viadd##op##_s16x2(unsigned int a, unsigned int b, unsigned int c) noexcept {                \
    return halves_s(__vadd2(a, b), c);                                                                                 \
  }                                                                                                                    \
  constexpr unsigned int __viadd##op##_u16x2(unsigned int a, unsigned int b, unsigned int c) noexcept {                \
    return halves_u(__vadd2(a, b), c);                                                                                 \
  }                                                                                                                    \
  constexpr int __viadd##op##_s32_relu(int a, int b, int c) noexcept {                                                 \
    return max(op(warpfiber::intrinsics::dpx_sum(a, b), c), 0);                                                        \
  }                                                                                                                    \
  constexpr unsigned int __viadd##op##_s16x2_relu(unsigned int a, unsigned int b, unsigned int c) noexcept {           \
    return __vmaxs2(halves_s(__vadd2(a, b), c), 0);                                                                    \
  }                                                                                                                    \
  constexpr int __vib##op##_s32(int a, int b, bool* a_wins) noexcept {                                                 \
    *a_wins = a wins b;                                                                                                \
    return op(a, b);                                                                                                   \
  }                                                                                                                    \
  constexpr unsigned int __vib##op##_u32(unsigned int a, unsigned int b, bool* a_wins) noexcept {                      \
    *a_wins = a wins b;                                                                                                \
    return op(a, b);                                                                                                   \
  }                                                                                                                    \
  constexpr unsigned int __vib##op##_s16x2(unsigned int a, unsigned int b, bool* high_wins, bool* low_wins) noexcept { \
    *high_wins = (halves_win_s(a, b) >> 16) != 0;                                                                      \
    *low_wins = (halves_win_s(a, b) & 1) != 0;                                                                         \
    return halves_s(a, b);                                                                                             \
  }                                                                                                                    \
  constexpr unsigned int __vib##op##_u16x2(unsigned int a, unsigned int b, bool* high_wins, bool* low_wins) noexcept { \
    *high_wins = (halves_win_u(a, b) >> 16) != 0;                                                                      \
    *low_wins = (halves_win_u(a, b) & 1) != 0;                                                                         \
    return halves_u(a, b);                                                                                             \
  }

WARPFIBER_DPX(max, __vmaxs2, __vmaxu2, >=, __vsetges2, __vsetgeu2)
WARPFIBER_DPX(min, __vmins2, __vminu2, <=, __vsetles2, __vsetleu2)

#undef WARPFIBER_DPX
