// SPDX-License-Identifier: Apache-2.0
// Matrices of which every second element is left out.
#pragma once

#include <warpfiber/detail/matrix.hpp>

#include <cstdint>

#include "machine/matrix/workspace.hpp"

namespace warpfiber::machine {

/// Puts the elements of a sparse A, which are one after another in their rows in words.a, to where they belong.
/// `metadata` is a word of each lane, `selector` says whose words count.
/// Source: PTX ISA 9.0, "Warp-level matrix instructions for sparse mma.sp"; which lane has the metadata of which
/// elements was measured where the manual's figures leave it open (docs/matrix-operations.md).
void spread_sparse(const detail::MatrixProduct& product, const std::uint32_t* metadata, unsigned selector,
                   MatrixWords& words);

}  // namespace warpfiber::machine
