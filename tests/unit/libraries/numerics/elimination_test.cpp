// SPDX-License-Identifier: Apache-2.0
// Solutions of sparse systems: what they multiply to, and which row has no pivot.
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <vector>

#include "numerics/sparse/elimination.hpp"
#include "numerics/sparse/orderings.hpp"
#include "numerics/sparse/refactorisation.hpp"
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

TEST_CASE("rotations, Cholesky's factor, and L and U solve a sparse system") {
  const SparseSystem system = grid_system(9, 5);
  SparseSystem by_rotations = system, by_cholesky = system;
  CHECK(solve_by_rotations(by_rotations, 1e-12) == -1);
  CHECK(residual(system, by_rotations.b) < 1e-14);
  CHECK(solve_positive_definite(by_cholesky, 1e-12) == -1);
  CHECK(residual(system, by_cholesky.b) < 1e-14);
  SparseSystem by_lu = system;
  CHECK(solve_by_lu(by_lu, 1e-12) == -1);
  CHECK(residual(system, by_lu.b) < 1e-14);
}

TEST_CASE("rotations solve a system whose diagonal is zero") {
  SparseSystem system;
  system.rows = {{{1, 2}}, {{0, 3}, {1, 0}, {2, 1}}, {{0, 0}, {2, 4}}};
  system.b = {2, 4, 4};
  CHECK(solve_by_rotations(system, 1e-12) == -1);
  for (const Number x : system.b) CHECK(std::abs(x - 1.) < 1e-15);
}

TEST_CASE("rotations give the least squares of more rows than columns") {
  // A line through (0, 1), (1, 3), (2, 4), (3, 6): 1.1 + 1.6 x.
  const RotationFactors factors({{{0, 1}}, {{0, 1}, {1, 1}}, {{0, 1}, {1, 2}}, {{0, 1}, {1, 3}}}, 2);
  CHECK(factors.zero_pivot(1e-12) == -1);
  const EntryVector line = factors.solve({1, 3, 4, 6});
  CHECK(std::abs(line[0] - 1.1) < 1e-14);
  CHECK(std::abs(line[1] - 1.6) < 1e-14);
}

TEST_CASE("L times U is the matrix with its rows exchanged") {
  SparseSystem system = grid_system(5, 0.01);
  const LuFactors factors(system.rows, 1);
  const std::vector<EntryRow> lower = factors.lower(), upper = factors.upper();
  std::size_t exchanged = 0;
  for (std::size_t i = 0; i < system.rows.size(); ++i) {
    EntryVector row(system.rows.size());
    for (const auto& [column, value] : upper[i]) row[column] += value;
    for (const auto& [k, factor] : lower[i]) {
      CHECK(std::abs(factor) <= 1);
      for (const auto& [column, value] : upper[k]) row[column] += factor * value;
    }
    for (const auto& [column, value] : system.rows[factors.rows()[i]]) row[column] -= value;
    for (const Number left : row) CHECK(std::abs(left) < 1e-14);
    exchanged += factors.rows()[i] != std::int64_t(i);
  }
  CHECK(exchanged > 0);
}

TEST_CASE("the diagonal of Cholesky's factor is that of L") {
  const CholeskyFactors factors({{{0, 4}, {1, 2}}, {{0, 2}, {1, 10}}});
  CHECK(factors.diagonal() == std::vector<double>{2, 3});
}

TEST_CASE("inverse iteration finds the eigenvalue near a number") {
  // The second difference of 20 points, whose eigenvalues are 2 - 2 cos(k pi / 21).
  std::vector<EntryRow> rows;
  for (std::int64_t i = 0; i < 20; ++i) {
    EntryRow& row = rows.emplace_back();
    if (i > 0) row.emplace_back(i - 1, -1);
    row.emplace_back(i, 2);
    if (i < 19) row.emplace_back(i + 1, -1);
  }
  for (const int k : {1, 7, 20}) {
    const double expected = 2 - 2 * std::cos(k * std::acos(-1.0) / 21);
    EigenPair pair{expected + 0.001, EntryVector(20)};
    for (std::size_t i = 0; i < 20; ++i) pair.vector[i] = number(std::uint32_t(i + 1));
    iterate_inverse(rows, pair, 20, 1e-13);
    CHECK(std::abs(pair.value - expected) < 1e-13);
  }
  EigenPair exact{2, EntryVector(1, 1)};
  iterate_inverse({{{0, 2}}}, exact, 3, 1e-13);
  CHECK(std::abs(exact.value - 2.) < 1e-13);
}

TEST_CASE("orders have each row once, and less fills in") {
  const std::vector<EntryRow> rows = grid_system(20, 5).rows;
  const RowNeighbours neighbours = neighbours_of(rows);
  const auto fill_in = [&](const RowOrder& order) {
    CHECK(std::vector<std::int64_t>(order).size() == rows.size());
    RowOrder position(order.size(), -1);
    for (std::size_t i = 0; i < order.size(); ++i) position[order[i]] = std::int64_t(i);
    CHECK(std::ranges::count(position, -1) == 0);
    std::vector<EntryRow> in_order(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      for (const auto& [column, value] : rows[order[i]]) in_order[i].emplace_back(position[column], value);
      std::ranges::sort(in_order[i], {}, &EntryRow::value_type::first);
    }
    std::size_t entries = 0;
    for (const EntryRow& row : LuFactors(in_order, 0).upper()) entries += row.size();
    return entries;
  };
  RowOrder scattered;
  for (std::int64_t i = 0; i < 400; ++i) scattered.push_back(i * 37 % 400);
  const std::size_t bad = fill_in(scattered), banded = fill_in(reverse_cuthill_mckee(neighbours));
  CHECK(banded < bad);
  CHECK(fill_in(minimum_degree(neighbours)) < banded);
  CHECK(fill_in(nested_dissection(neighbours)) < banded);
}

TEST_CASE("parts of a matrix that are apart are put in order, too") {
  std::vector<EntryRow> rows(300);
  for (std::int64_t i = 0; i < 300; ++i) rows[i] = {{i, 1}};
  rows[7].emplace_back(8, 1);
  for (const auto find : {reverse_cuthill_mckee, minimum_degree, nested_dissection}) {
    RowOrder order = find(neighbours_of(rows));
    std::ranges::sort(order);
    for (std::int64_t i = 0; i < 300; ++i) CHECK(order[i] == i);
  }
}

TEST_CASE("factors with a given pattern solve a system with other numbers") {
  const std::vector<RealRow> first = {{{0, 4}, {2, 1}}, {{1, 3}}, {{0, 1}, {2, 5}}};
  const std::vector<RealRow> second = {{{0, 2}, {2, 3}}, {{1, 8}}, {{0, 5}, {2, 7}}};
  const PivotOrders orders{{2, 0, 1}, {0, 2, 1}};
  Refactorisation factors(first, {{}, {{0, 1}}, {}}, {{{0, 1}, {1, 1}}, {{1, 1}}, {{2, 1}}}, orders);
  REQUIRE(factors.reset(second, orders));
  CHECK(factors.refactor({}) == -1);
  double x[] = {2 * 1 + 3 * 3, 8 * 2, 5 * 1 + 7 * 3};
  factors.solve(x, orders);
  CHECK(std::abs(x[0] - 1) + std::abs(x[1] - 2) + std::abs(x[2] - 3) < 1e-14);
  CHECK_FALSE(factors.reset({{{1, 1}}, {}, {}}, orders));
  REQUIRE(factors.reset({{}, {{1, 8}}, {{0, 5}}}, orders));
  CHECK(factors.refactor({}) == 1);
  CHECK(factors.refactor({1e-10, 1}) == -1);
  CHECK(factors.was_boosted());
}

TEST_CASE("the row is named that has no pivot") {
  SparseSystem singular = diagonal_system({1, 0, 3}), empty = diagonal_system({1, 1, 1});
  CHECK(solve_by_rotations(singular, 1e-12) == 1);
  empty.rows[2].clear();
  CHECK(solve_by_rotations(empty, 1e-12) == 2);
  SparseSystem for_lu = diagonal_system({1, 0, 3});
  CHECK(solve_by_lu(for_lu, 1e-12) == 1);
  SparseSystem negative = diagonal_system({1, 2, -1});
  CHECK(solve_positive_definite(negative, 1e-12) == 2);
  SparseSystem indefinite = grid_system(3, 1);
  CHECK(solve_positive_definite(indefinite, 0) > 0);
}
