// SPDX-License-Identifier: Apache-2.0
// Accesses as compilers make them, with hooks where the program has some.
#pragma once

namespace warpfiber::detail::arch {

inline __attribute__((always_inline)) unsigned unhooked_load(const unsigned& variable) {
  return variable;
}
inline __attribute__((always_inline)) void unhooked_store(unsigned& variable, unsigned value) {
  variable = value;
}

inline __attribute__((always_inline)) void align_loop() {}

}  // namespace warpfiber::detail::arch
