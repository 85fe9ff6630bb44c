// SPDX-License-Identifier: Apache-2.0
// Factors of a sparse matrix whose numbers change while its pattern does not: P A Q^T = L U, with the pattern of L, U
// and the two orders found before. Nothing is exchanged when new numbers are eliminated. Real double precision.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace warpfiber::numerics {

/// Entries of a row, by column in ascending order; the columns are distinct.
using RealRow = std::vector<std::pair<std::int64_t, double>>;

/// Row i of P A is row rows[i] of A, and column j of A Q^T is column columns[j].
struct PivotOrders {
  std::vector<std::int64_t> rows;
  std::vector<std::int64_t> columns;
};

/// A pivot that is at most `zero` in size becomes `boost`, unless that is 0.
struct PivotLimits {
  double zero = 0;
  double boost = 0;
};

class Refactorisation {
 public:
  /// `lower` and `upper`: L without its diagonal, which is one, and U with it.
  Refactorisation(const std::vector<RealRow>& a, const std::vector<RealRow>& lower, const std::vector<RealRow>& upper,
                  PivotOrders orders);

  /// Numbers of a matrix whose entries are among those of the pattern; false if one is not.
  bool reset(const std::vector<RealRow>& a, PivotOrders orders);
  /// Eliminates what reset() has left. Returns the first row whose pivot is zero, and -1 if there is none.
  std::int64_t refactor(const PivotLimits& limits);
  [[nodiscard]] bool was_boosted() const { return was_boosted_; }
  /// Makes b, of which there are as many numbers as rows, the solution.
  void solve(double* b, const PivotOrders& orders) const;

  /// L without its diagonal and U, in one row each.
  [[nodiscard]] const std::vector<RealRow>& factors() const { return rows_; }

 private:
  std::vector<RealRow> rows_;
  bool was_boosted_ = false;
};

}  // namespace warpfiber::numerics
