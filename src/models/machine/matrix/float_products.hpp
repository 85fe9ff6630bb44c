// SPDX-License-Identifier: Apache-2.0
// Products of matrices of floating-point numbers, but for f64.
#pragma once

#include <warpfiber/detail/matrix.hpp>

#include <cstdint>

#include "machine/matrix/plan.hpp"
#include "machine/matrix/workspace.hpp"

namespace warpfiber::machine {

/// The elements of D, by row, from the words of A and B in `in`, and the elements of C by row. f16 is in the lower half
/// of a word.
void multiply_floats(const ProductPlan& plan, ProductWorkspace& in, const std::uint32_t* c, std::uint32_t* d);

}  // namespace warpfiber::machine
