// SPDX-License-Identifier: Apache-2.0
// Solutions of sparse systems: what they multiply to, and which row has no pivot.
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <vector>

#include "numerics/sparse/elimination.hpp"
#include "support/catch.hpp"

using namespace warpfiber::numerics;

namespace {

using Number = std::complex<double>;

double number(std::uint32_t k) {
  return static_cast<double>((k * 2654435761U) >> 8) / (1 << 24) - 0.5;
}

/// Hermitian, of a grid of side by side points, with the points of the grid's neighbours in each row.
SparseSystem grid_system(std::int64_t side, double diagonal) {
  SparseSystem system;
  for (std::int64_t i = 0; i < side * side; ++i) {
    EntryRow row;
    if (i >= side) row.emplace_back(i - side, -1);
    if (i % side > 0) row.emplace_back(i - 1, Number(-1, -0.5));
    row.emplace_back(i, diagonal);
    if (i % side + 1 < side) row.emplace_back(i + 1, Number(-1, 0.5));
    if (i + side < side * side) row.emplace_back(i + side, -1);
    system.rows.push_back(row);
    system.b.emplace_back(number(std::uint32_t(2 * i + 1)), number(std::uint32_t(2 * i + 2)));
  }
  return system;
}

double residual(const SparseSystem& system, const std::vector<Number>& x) {
  double worst = 0;
  for (std::size_t i = 0; i < system.rows.size(); ++i) {
    Number sum = -system.b[i];
    for (const auto& [column, value] : system.rows[i]) sum += value * x[column];
    worst = std::max(worst, std::abs(sum));
  }
  return worst;
}

SparseSystem diagonal_system(const std::vector<double>& diagonal) {
  SparseSystem system;
  for (std::size_t i = 0; i < diagonal.size(); ++i) {
    system.rows.push_back({{std::int64_t(i), diagonal[i]}});
    system.b.emplace_back(1);
  }
  return system;
}

}  // namespace

TEST_CASE("rotations and Cholesky's factor solve a sparse system") {
  const SparseSystem system = grid_system(9, 5);
  SparseSystem by_rotations = system, by_cholesky = system;
  CHECK(solve_by_rotations(by_rotations, 1e-12) == -1);
  CHECK(residual(system, by_rotations.b) < 1e-14);
  CHECK(solve_positive_definite(by_cholesky, 1e-12) == -1);
  CHECK(residual(system, by_cholesky.b) < 1e-14);
}

TEST_CASE("rotations solve a system whose diagonal is zero") {
  SparseSystem system;
  system.rows = {{{1, 2}}, {{0, 3}, {1, 0}, {2, 1}}, {{0, 0}, {2, 4}}};
  system.b = {2, 4, 4};
  CHECK(solve_by_rotations(system, 1e-12) == -1);
  for (const Number x : system.b) CHECK(std::abs(x - 1.) < 1e-15);
}

TEST_CASE("the row is named that has no pivot") {
  SparseSystem singular = diagonal_system({1, 0, 3}), empty = diagonal_system({1, 1, 1});
  CHECK(solve_by_rotations(singular, 1e-12) == 1);
  empty.rows[2].clear();
  CHECK(solve_by_rotations(empty, 1e-12) == 2);
  SparseSystem negative = diagonal_system({1, 2, -1});
  CHECK(solve_positive_definite(negative, 1e-12) == 2);
  SparseSystem indefinite = grid_system(3, 1);
  CHECK(solve_positive_definite(indefinite, 0) > 0);
}
