// SPDX-License-Identifier: Apache-2.0
// mma.sync.m8n8k4 of f16: four products, each of eight lanes.
// Source: PTX ISA 9.0, "Matrix Fragments for mma.m8n8k4 with .f16 floating point type".
#pragma once

#include <warpfiber/detail/matrix.hpp>

#include <cstdint>

#include "machine/matrix/multiply.hpp"
#include "machine/matrix/workspace.hpp"

namespace warpfiber::machine {

inline constexpr unsigned kQuads = 4;

/// Reads A and B of product `quad` into `words`, and C by row into `c`.
void read_quad(const detail::MatrixProduct& product, const ProductSources& from, unsigned quad, MatrixWords& words,
               std::uint32_t* c);

/// D by row from C by row, as GPUs since compute capability 7.5 compute it, which have no such operation: by operations
/// of f32 that are rounded to nearest. Where D is f32, all products are added in the order of k, and C last. Where D is
/// f16, those of the first two k, C, and those of the other two, and the sum is rounded once more.
/// Source: measured, docs/matrix-operations.md.
void multiply_quad(const detail::MatrixProduct& product, const MatrixWords& words, const std::uint32_t* c,
                   std::uint32_t* d);

/// Gives the lanes their elements of D, which are by row in `from`.
void write_quad(const detail::MatrixProduct& product, const std::uint32_t* from, unsigned quad,
                std::uint32_t* const* d);

}  // namespace warpfiber::machine
