// SPDX-License-Identifier: Apache-2.0
//
// Direction numbers for Sobol's sequences in many dimensions: those of Joe and Kuo ("Constructing Sobol sequences with
// better two-dimensional projections", SIAM Journal on Scientific Computing 30, 2008; their file
// new-joe-kuo-6.21201), computed from the polynomials and first numbers that Boost.Random has. Scrambled ones are these
// after a random matrix for each dimension (Matousek, "On the L2-discrepancy for anchored boxes", 1998), and a
// constant. Made when first asked for; any thread may ask.
#pragma once

#include <cstddef>

namespace warpfiber::random {

// Tables have this many rows, as NVIDIA's. Rows from kSobolDimensions on are zero.
inline constexpr std::size_t kSobolRows = 20000;
extern const std::size_t kSobolDimensions;

/// kSobolRows rows of 32 and 64 direction numbers.
const unsigned int (*sobol_directions32(bool scrambled))[32];
const unsigned long long (*sobol_directions64(bool scrambled))[64];

/// The first numbers of the scrambled sequences, one for each row.
const unsigned int* sobol_constants32();
const unsigned long long* sobol_constants64();

}  // namespace warpfiber::random
