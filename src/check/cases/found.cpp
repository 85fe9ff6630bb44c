// SPDX-License-Identifier: Apache-2.0
// Without the assembly compilers would take out calls of a function that does nothing.
#include "check/cases/cases.hpp"

extern "C" __attribute__((visibility("default"), noinline)) void warpfiber::check::warpfiber_case_found(Hazard hazard) {
  asm volatile("" : : "r"(hazard) : "memory");
}
