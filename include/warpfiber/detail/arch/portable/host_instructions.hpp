// SPDX-License-Identifier: Apache-2.0
// Processors without a folder of their own are asked for no instruction: what is declared here is never called.
#pragma once

namespace warpfiber::detail::arch {

inline constexpr bool kMayHaveInstructions = false;
inline constexpr bool kAlwaysHasFma = false;
inline constexpr bool kAlwaysHasF16c = false;
inline constexpr bool kAlwaysHasPopcnt = false;

float fused_multiply_add(float x, float y, float z) noexcept;
double fused_multiply_add(double x, double y, double z) noexcept;
int population_count(unsigned long long x) noexcept;
float half_to_float(unsigned short bits) noexcept;
unsigned short float_to_half(float number) noexcept;

}  // namespace warpfiber::detail::arch
