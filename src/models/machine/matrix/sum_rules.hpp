// SPDX-License-Identifier: Apache-2.0
// How a GPU adds the products of a matrix operation, as data. NVIDIA documents none of it; the rules are those that
// published measurements of the GPUs named agree with, and docs/matrix-operations.md says which.
#pragma once

#include <warpfiber/detail/matrix.hpp>

namespace warpfiber::machine {

/// The term that C is.
enum class AddsC : unsigned char {
  as_term,     // of the first sum
  afterwards,  // to the last sum, as an addition of its own, rounded to nearest
};

/// One sum is exact but for this: each term is aligned to the largest exponent of all, and what lies below the last
/// fraction bit is cut off. A term's exponent is the sum of its factors' exponents; it is not normalised.
struct SumRule {
  unsigned terms = 0;  // products in one sum, with those that a sparse A leaves out. A longer product is a chain of
                       // sums, each a term of the next
  unsigned fraction_bits = 0;  // of an aligned term
  unsigned result_bits =
      0;  // fraction bits that remain of a sum in 32 bits; the rest is cut off. f16 is rounded to nearest
  AddsC adds_c = AddsC::as_term;
  // The first of two sums has the pairs of terms with even numbers, of a sparse A the fours; the second the others.
  bool alternates = false;
  bool as_half = false;  // elements of 8 bits become f16 first: no e4m3 is subnormal then
};

/// Of products of floating-point numbers but f64, by compute capability, which is 7.0 at least.
SumRule sum_rule(detail::ComputeCapability capability, const detail::MatrixProduct& product);

}  // namespace warpfiber::machine
