// SPDX-License-Identifier: Apache-2.0
//
// Asks once in the process. Without the instruction, callers use the C library's fma().
#include <warpfiber/detail/host_instructions.hpp>

#include <cmath>

#include "base/arch/processor.hpp"

namespace warpfiber::detail {

const HostInstructions host_instructions = base::find_host_instructions();

float fused_by_library(float x, float y, float z) noexcept {
  return std::fma(x, y, z);
}
double fused_by_library(double x, double y, double z) noexcept {
  return std::fma(x, y, z);
}

}  // namespace warpfiber::detail
