// SPDX-License-Identifier: Apache-2.0
// Orders of the rows of a sparse matrix in which fewer entries fill in when it is eliminated. Row i in the new order is
// row order[i] of the matrix. A result depends on the pattern alone.
#pragma once

#include <cstdint>
#include <vector>

#include "numerics/sparse/elimination.hpp"

namespace warpfiber::numerics {

using RowOrder = std::vector<std::int64_t>;

/// The pattern of A and its transpose: for each row the others that it has an entry with, ascending.
using RowNeighbours = std::vector<std::vector<std::int64_t>>;

RowNeighbours neighbours_of(const std::vector<EntryRow>& rows);

/// Entries near the diagonal (Cuthill and McKee, 1969; George, 1971).
RowOrder reverse_cuthill_mckee(const RowNeighbours& neighbours);

/// The row with the fewest neighbours first, with the bound of degrees of Amestoy, Davis and Duff (1996).
RowOrder minimum_degree(const RowNeighbours& neighbours);

/// Both halves first, and the rows between them last (George, 1973), where level sets from the rim say what is between.
RowOrder nested_dissection(const RowNeighbours& neighbours);

}  // namespace warpfiber::numerics
