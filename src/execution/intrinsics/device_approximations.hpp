// SPDX-License-Identifier: Apache-2.0
//
// What a GPU's unit for special functions returns for floats, bit for bit: PTX's lg2.approx.ftz, ex2.approx.ftz,
// rcp.approx.ftz and rsqrt.approx.ftz, as an H200 computes them. Subnormal arguments and results are zeros. For what
// needs the device's last bits; may be called from anywhere.
#pragma once

namespace warpfiber::intrinsics {

float device_log2(float x) noexcept;
float device_exp2(float x) noexcept;
float device_reciprocal(float x) noexcept;
float device_reciprocal_root(float x) noexcept;

}  // namespace warpfiber::intrinsics
