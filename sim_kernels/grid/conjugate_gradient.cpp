// SPDX-License-Identifier: Apache-2.0
// Solves the Poisson equation -u'' = 1 on the unit square, u = 0 on its rim, with the matrix of data/poisson.mtx. The
// reference is a direct solution by Cholesky decomposition of the same matrix; the texts show the largest u, which is
// 0.0737 for the continuous problem. Setting::grid blocks have to be resident together; blocks may have any size.
#include "conjugate_gradient.hpp"

#include "grid.hpp"
#include "matrix_market.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace gallery {

namespace {

constexpr double kTolerance = 1e-10;
constexpr unsigned kMostIterations = 1000;
constexpr double kAgreement = 1e-9;

using Vector = std::vector<double>;

/// A matrix by compressed rows, on the host.
struct Rows {
  std::vector<unsigned> starts;
  std::vector<unsigned> columns;
  Vector values;
};

Rows compress(MatrixFile matrix) {
  std::sort(matrix.entries.begin(), matrix.entries.end(), [](const MatrixEntry& a, const MatrixEntry& b) {
    return a.row != b.row ? a.row < b.row : a.column < b.column;
  });
  Rows rows;
  rows.starts.assign(matrix.rows + 1, 0);
  for (const MatrixEntry& entry : matrix.entries) {
    ++rows.starts[entry.row + 1];
    rows.columns.push_back(entry.column);
    rows.values.push_back(entry.value);
  }
  for (std::size_t row = 0; row < matrix.rows; ++row) rows.starts[row + 1] += rows.starts[row];
  return rows;
}

/// The lower triangle of a banded symmetric matrix: element (row, row - band + k) is at row * (band + 1) + k.
class BandedCholesky {
 public:
  explicit BandedCholesky(const MatrixFile& matrix) : rows_(matrix.rows) {
    for (const MatrixEntry& e : matrix.entries)
      band_ = std::max<std::size_t>(band_, e.row > e.column ? e.row - e.column : 0);
    cells_.assign(rows_ * (band_ + 1), 0);
    for (const MatrixEntry& e : matrix.entries) {
      if (e.row >= e.column) at(e.row, e.column) = e.value;
    }
    for (std::size_t row = 0; row < rows_; ++row) decompose(row);
  }

  Vector solve(Vector x) {
    for (std::size_t i = 0; i < rows_; ++i) {
      for (std::size_t j = first_of(i); j < i; ++j) x[i] -= at(i, j) * x[j];
      x[i] /= at(i, i);
    }
    for (std::size_t i = rows_; i-- > 0;) {
      x[i] /= at(i, i);
      for (std::size_t j = first_of(i); j < i; ++j) x[j] -= at(i, j) * x[i];
    }
    return x;
  }

 private:
  double& at(std::size_t row, std::size_t column) { return cells_[row * (band_ + 1) + band_ + column - row]; }
  std::size_t first_of(std::size_t row) const { return row > band_ ? row - band_ : 0; }

  void decompose(std::size_t row) {
    for (std::size_t column = first_of(row); column <= row; ++column) {
      double rest = at(row, column);
      for (std::size_t k = std::max(first_of(row), first_of(column)); k < column; ++k)
        rest -= at(row, k) * at(column, k);
      at(row, column) = column == row ? std::sqrt(rest) : rest / at(column, column);
    }
  }

  std::size_t rows_;
  std::size_t band_ = 0;
  Vector cells_;
};

struct Solution {
  Vector u;
  GradientOutcome outcome{};
};

Solution solve_on_device(Trial& trial, const Setting& setting, const Rows& rows, const Vector& right_side) {
  const std::size_t count = right_side.size();
  const warpfiber::Buffer<unsigned> starts(rows.starts);
  const warpfiber::Buffer<unsigned> columns(rows.columns);
  const warpfiber::Buffer<double> values(rows.values);
  const warpfiber::Buffer<double> b(right_side);
  warpfiber::Buffer<double> x(count), residual(count), direction(count), product(count);
  warpfiber::Buffer<double> partial(std::size_t{2} * setting.grid);
  warpfiber::Buffer<GradientOutcome> outcome(1);
  outcome.fill({});
  const SparseRows matrix{static_cast<unsigned>(count), starts.data(), columns.data(), values.data()};
  const GradientVectors vectors{b.data(), x.data(), residual.data(), direction.data(), product.data(), partial.data()};
  trial.launch<conjugate_gradient>({.grid = setting.grid, .block = setting.block, .cooperative = true}, matrix, vectors,
                                   kTolerance, kMostIterations, outcome.data());
  return {x.download(), outcome.download()[0]};
}

bool agree(const Vector& a, const Vector& b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!(std::abs(a[i] - b[i]) < kAgreement)) return false;
  }
  return true;
}

std::string peak(const Vector& u) {
  return text("u <= %.6f", *std::max_element(u.begin(), u.end()));
}

}  // namespace

Record run_conjugate_gradient(const Setting& setting) {
  const MatrixFile matrix = read_matrix_market(setting.data + "/poisson.mtx");
  if (matrix.rows != matrix.columns) throw std::runtime_error("poisson.mtx is not square");
  const double spacing = 1 / (std::sqrt(static_cast<double>(matrix.rows)) + 1);
  const Vector right_side(matrix.rows, spacing * spacing);
  Trial trial(setting);
  const Solution found = solve_on_device(trial, setting, compress(matrix), right_side);
  const Vector expected = BandedCholesky(matrix).solve(right_side);
  return trial.conclude(text("%s, %u steps", peak(found.u).c_str(), static_cast<unsigned>(found.outcome.iterations)),
                        peak(expected), agree(found.u, expected));
}

}  // namespace gallery
