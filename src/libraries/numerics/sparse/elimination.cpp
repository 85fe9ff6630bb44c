// SPDX-License-Identifier: Apache-2.0
// Rows of the upper triangle begin with the diagonal. A row of the matrix is rotated with those of R until it is one.
#include "numerics/sparse/elimination.hpp"

#include <cmath>

namespace warpfiber::numerics {
namespace {

using DoubleComplex = std::complex<double>;

/// a * x + b * y, of columns from `first` on.
EntryRow combined(DoubleComplex a, const EntryRow& x, DoubleComplex b, const EntryRow& y, std::int64_t first) {
  EntryRow sum;
  sum.reserve(x.size() + y.size());
  auto i = x.begin();
  auto j = y.begin();
  while (i != x.end() || j != y.end()) {
    const bool of_x = j == y.end() || (i != x.end() && i->first <= j->first);
    const bool of_y = i == x.end() || (j != y.end() && j->first <= i->first);
    const std::int64_t column = of_x ? i->first : j->first;
    DoubleComplex value = 0;
    if (of_x) value += a * (i++)->second;
    if (of_y) value += b * (j++)->second;
    if (column >= first) sum.emplace_back(column, value);
  }
  return sum;
}

struct GivensRotation {
  double c = 0;
  DoubleComplex s = 1;

  /// Makes g zero: f becomes c * f + s * g.
  static GivensRotation against(DoubleComplex f, DoubleComplex g) {
    const double length = std::hypot(std::abs(f), std::abs(g));
    if (std::abs(f) == 0) return {0, length == 0 ? DoubleComplex(1) : std::conj(g) / length};
    return {std::abs(f) / length, f / std::abs(f) * std::conj(g) / length};
  }
};

/// Puts a row and its right side where they belong in R and d.
void rotate_in(EntryRow row, DoubleComplex side, std::vector<EntryRow>& r, std::vector<DoubleComplex>& d) {
  while (!row.empty()) {
    const std::int64_t k = row.front().first;
    if (r[k].empty()) {
      r[k] = std::move(row);
      d[k] = side;
      return;
    }
    const auto turn = GivensRotation::against(r[k].front().second, row.front().second);
    EntryRow rest = combined(-std::conj(turn.s), r[k], turn.c, row, k + 1);
    r[k] = combined(turn.c, r[k], turn.s, row, k);
    const DoubleComplex old = d[k];
    d[k] = turn.c * old + turn.s * side;
    side = turn.c * side - std::conj(turn.s) * old;
    row = std::move(rest);
  }
}

void substitute_back(const std::vector<EntryRow>& rows, std::vector<DoubleComplex>& d) {
  for (std::size_t k = rows.size(); k-- > 0;) {
    for (std::size_t i = 1; i < rows[k].size(); ++i) d[k] -= rows[k][i].second * d[rows[k][i].first];
    d[k] /= rows[k].front().second;
  }
}

}  // namespace

std::int64_t solve_by_rotations(SparseSystem& system, double tolerance) {
  const std::size_t n = system.rows.size();
  std::vector<EntryRow> r(n);
  std::vector<DoubleComplex> d(n);
  for (std::size_t i = 0; i < n; ++i) rotate_in(std::move(system.rows[i]), system.b[i], r, d);
  for (std::size_t k = 0; k < n; ++k) {
    if (r[k].empty() || !(std::abs(r[k].front().second) > tolerance)) return static_cast<std::int64_t>(k);
  }
  substitute_back(r, d);
  system.b = std::move(d);
  return -1;
}

std::int64_t solve_positive_definite(SparseSystem& system, double tolerance) {
  const auto n = static_cast<std::int64_t>(system.rows.size());
  std::vector<EntryRow> upper(system.rows.size());
  for (std::int64_t i = 0; i < n; ++i) {
    for (const auto& [column, value] : system.rows[i]) {
      if (column <= i) upper[column].emplace_back(i, std::conj(value));
    }
  }
  for (std::int64_t k = 0; k < n; ++k) {
    const EntryRow& row = upper[k];
    if (row.empty() || row.front().first != k || !(row.front().second.real() > tolerance)) return k;
    for (std::size_t i = 1; i < row.size(); ++i) {
      const DoubleComplex factor = std::conj(row[i].second) / row.front().second.real();
      const std::int64_t j = row[i].first;
      upper[j] = combined(1, upper[j], -factor, row, j);
      system.b[j] -= factor * system.b[k];
    }
  }
  substitute_back(upper, system.b);
  return -1;
}

}  // namespace warpfiber::numerics
