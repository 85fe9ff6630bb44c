// SPDX-License-Identifier: Apache-2.0
//
// How far a generator's state is moved along its sequence without the numbers in between. The library has the powers of
// the generators' matrices (src/libraries/random); states are the caller's, in registers or on its stack.
#pragma once

namespace warpfiber::random {

/// Moves the five words of an XORWOW generator by `sequences` * 2^67 + `steps` numbers.
void jump_xorwow(unsigned int (&words)[5], unsigned long long sequences, unsigned long long steps) noexcept;

/// Moves the two components of an MRG32k3a generator by `count` * 2^`exponent` numbers; the exponent is at most 127.
void jump_mrg32k3a(unsigned int (&first)[3], unsigned int (&second)[3], unsigned long long count,
                   unsigned int exponent) noexcept;

}  // namespace warpfiber::random
