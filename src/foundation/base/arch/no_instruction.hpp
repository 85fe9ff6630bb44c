// SPDX-License-Identifier: Apache-2.0
// Assembly without an instruction, which any processor has.
#pragma once

namespace warpfiber::base {

/// For compilers the value is used here, and memory may be changed: a function that does nothing is called all the
/// same.
template <class T>
inline __attribute__((always_inline)) void use(T value) {
  asm volatile("" : : "r"(value) : "memory");
}

}  // namespace warpfiber::base
