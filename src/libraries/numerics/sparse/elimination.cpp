// SPDX-License-Identifier: Apache-2.0
// Rows of the upper triangle begin with the diagonal. Rows of a matrix that begin with the same column are rotated
// until one of them does, which is a row of R.
#include "numerics/sparse/elimination.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <queue>

#include "numerics/numbers.hpp"

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
    if (of_x) value += product(a, (i++)->second);
    if (of_y) value += product(b, (j++)->second);
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

void substitute_back(const std::vector<EntryRow>& rows, EntryVector& d) {
  for (std::size_t k = rows.size(); k-- > 0;) {
    for (std::size_t i = 1; i < rows[k].size(); ++i) d[k] -= product(rows[k][i].second, d[rows[k][i].first]);
    d[k] /= rows[k].front().second;
  }
}

template <class Factors>
std::int64_t solve_by(const Factors& factors, EntryVector& b, double tolerance) {
  const std::int64_t without_pivot = factors.zero_pivot(tolerance);
  if (without_pivot < 0) b = factors.solve(b);
  return without_pivot;
}

/// Columns of a matrix by their rows.
std::vector<EntryRow> transposed(const std::vector<EntryRow>& rows, std::size_t columns) {
  std::vector<EntryRow> of(columns);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (const auto& [column, value] : rows[i]) of[column].emplace_back(i, value);
  }
  return of;
}

double length_of(const EntryVector& x) {
  double sum = 0;
  for (const DoubleComplex& number : x) sum += std::norm(number);
  return std::sqrt(sum);
}

void make_unit(EntryVector& x) {
  const double length = length_of(x);
  if (length == 0) return;
  for (DoubleComplex& number : x) number /= length;
}

}  // namespace

RotationFactors::RotationFactors(std::vector<EntryRow> rows, std::int64_t columns)
    : r_(static_cast<std::size_t>(columns)), row_of_(r_.size(), -1) {
  std::vector<std::vector<std::int64_t>> beginning_at(r_.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (!rows[i].empty()) beginning_at[rows[i].front().first].push_back(static_cast<std::int64_t>(i));
  }
  for (std::int64_t k = 0; k < columns; ++k) {
    std::vector<std::int64_t>& with_column = beginning_at[k];
    if (with_column.empty()) continue;
    // Less fills in where short rows come first.
    std::ranges::sort(with_column, {}, [&](std::int64_t row) { return std::pair(rows[row].size(), row); });
    row_of_[k] = with_column.front();
    EntryRow& pivot = rows[row_of_[k]];
    for (std::size_t i = 1; i < with_column.size(); ++i) {
      EntryRow& row = rows[with_column[i]];
      const auto turn = GivensRotation::against(pivot.front().second, row.front().second);
      turns_.push_back({row_of_[k], with_column[i], turn.c, turn.s});
      EntryRow rest = combined(-std::conj(turn.s), pivot, turn.c, row, k + 1);
      pivot = combined(turn.c, pivot, turn.s, row, k);
      row = std::move(rest);
      if (!row.empty()) beginning_at[row.front().first].push_back(with_column[i]);
    }
    r_[k] = std::move(pivot);
  }
}

std::int64_t RotationFactors::zero_pivot(double tolerance) const {
  const auto first = std::ranges::find_if(
      r_, [=](const EntryRow& row) { return row.empty() || !(std::abs(row.front().second) > tolerance); });
  return first == r_.end() ? -1 : first - r_.begin();
}

EntryVector RotationFactors::solve(const EntryVector& b) const {
  EntryVector side = b, x(r_.size());
  for (const Turn& turn : turns_) {
    const DoubleComplex f = side[turn.pivot], g = side[turn.row];
    side[turn.pivot] = turn.c * f + product(turn.s, g);
    side[turn.row] = turn.c * g - product(std::conj(turn.s), f);
  }
  for (std::size_t k = 0; k < r_.size(); ++k) {
    if (row_of_[k] >= 0) x[k] = side[row_of_[k]];
  }
  substitute_back(r_, x);
  return x;
}

CholeskyFactors::CholeskyFactors(const std::vector<EntryRow>& rows) : upper_(rows.size()) {
  const auto n = static_cast<std::int64_t>(rows.size());
  for (std::int64_t i = 0; i < n; ++i) {
    for (const auto& [column, value] : rows[i]) {
      if (column <= i) upper_[column].emplace_back(i, std::conj(value));
    }
  }
  for (; done_ < n; ++done_) {
    const EntryRow& row = upper_[done_];
    if (row.empty() || row.front().first != done_ || !(row.front().second.real() > 0)) return;
    for (std::size_t i = 1; i < row.size(); ++i) {
      const DoubleComplex factor = std::conj(row[i].second) / row.front().second.real();
      upper_[row[i].first] = combined(1, upper_[row[i].first], -factor, row, row[i].first);
    }
  }
}

std::int64_t CholeskyFactors::zero_pivot(double tolerance) const {
  for (std::int64_t k = 0; k < done_; ++k) {
    if (!(upper_[k].front().second.real() > tolerance)) return k;
  }
  return done_ < static_cast<std::int64_t>(upper_.size()) ? done_ : -1;
}

EntryVector CholeskyFactors::solve(const EntryVector& b) const {
  EntryVector x = b;
  for (std::size_t k = 0; k < upper_.size(); ++k) {
    const EntryRow& row = upper_[k];
    const DoubleComplex scaled = x[k] / row.front().second.real();
    for (std::size_t i = 1; i < row.size(); ++i) x[row[i].first] -= product(std::conj(row[i].second), scaled);
  }
  substitute_back(upper_, x);
  return x;
}

std::vector<double> CholeskyFactors::diagonal() const {
  std::vector<double> roots(upper_.size());
  for (std::int64_t k = 0; k < done_; ++k) roots[k] = std::sqrt(upper_[k].front().second.real());
  return roots;
}

/// The column that is eliminated, by rows of A. Those with a position are taken in the order of it.
struct LuFactors::Column {
  explicit Column(std::size_t rows) : value(rows), is_there(rows) {}

  /// `position` of the row.
  void add(std::int64_t row, DoubleComplex number, std::int64_t position) {
    value[row] += number;
    if (is_there[row]) return;
    is_there[row] = true;
    if (position < 0) {
      open.push_back(row);
    } else {
      waiting.push(position);
    }
  }
  DoubleComplex take(std::int64_t row) {
    is_there[row] = false;
    return std::exchange(value[row], 0);
  }

  EntryVector value;
  std::vector<bool> is_there;
  std::priority_queue<std::int64_t, std::vector<std::int64_t>, std::greater<>> waiting{};
  std::vector<std::int64_t> open{};
};

LuFactors::LuFactors(const std::vector<EntryRow>& rows, double threshold) : position_(rows.size(), -1) {
  Column work(rows.size());
  for (const EntryRow& column : transposed(rows, rows.size())) {
    eliminate(column, work);
    keep(work, threshold);
  }
}

void LuFactors::eliminate(const EntryRow& column, Column& work) {
  EntryRow& upper = upper_.emplace_back();
  for (const auto& [row, value] : column) work.add(row, value, position_[row]);
  while (!work.waiting.empty()) {
    const std::int64_t k = work.waiting.top();
    work.waiting.pop();
    const DoubleComplex factor = work.take(row_of_[k]);
    upper.emplace_back(k, factor);
    for (const auto& [row, value] : lower_[k]) work.add(row, -product(value, factor), position_[row]);
  }
}

void LuFactors::keep(Column& work, double threshold) {
  const auto j = static_cast<std::int64_t>(row_of_.size());
  std::ranges::sort(work.open);
  std::int64_t pivot = -1;
  double largest = 0;
  for (const std::int64_t row : work.open) {
    if (const double size = std::abs(work.value[row]); size > largest) {
      largest = size;
      pivot = row;
    }
  }
  const bool diagonal_is_free = position_[j] < 0;
  if (diagonal_is_free && std::abs(work.value[j]) > 0 && std::abs(work.value[j]) >= threshold * largest) pivot = j;
  if (pivot < 0) pivot = diagonal_is_free ? j : std::ranges::find(position_, -1) - position_.begin();
  position_[pivot] = j;
  row_of_.push_back(pivot);
  const DoubleComplex value = work.take(pivot);
  upper_.back().emplace_back(j, value);
  EntryRow& lower = lower_.emplace_back();
  for (const std::int64_t row : work.open) {
    if (row == pivot) continue;
    const DoubleComplex number = work.take(row);
    lower.emplace_back(row, value == DoubleComplex(0) ? number : number / value);
  }
  work.open.clear();
}

std::int64_t LuFactors::zero_pivot(double tolerance) const {
  const auto first = std::ranges::find_if(
      upper_, [=](const EntryRow& column) { return !(std::abs(column.back().second) > tolerance); });
  return first == upper_.end() ? -1 : first - upper_.begin();
}

EntryVector LuFactors::solve(const EntryVector& b) const {
  EntryVector work = b, x(b.size());
  for (std::size_t k = 0; k < lower_.size(); ++k) {
    x[k] = work[row_of_[k]];
    for (const auto& [row, value] : lower_[k]) work[row] -= product(value, x[k]);
  }
  for (std::size_t k = upper_.size(); k-- > 0;) {
    const EntryRow& column = upper_[k];
    x[k] /= column.back().second;
    for (std::size_t i = 0; i + 1 < column.size(); ++i) x[column[i].first] -= product(column[i].second, x[k]);
  }
  return x;
}

std::vector<EntryRow> LuFactors::lower() const {
  std::vector<EntryRow> columns(lower_.size());
  for (std::size_t k = 0; k < columns.size(); ++k) {
    for (const auto& [row, value] : lower_[k]) columns[k].emplace_back(position_[row], value);
  }
  return transposed(columns, columns.size());
}

std::vector<EntryRow> LuFactors::upper() const {
  return transposed(upper_, upper_.size());
}

std::int64_t solve_by_rotations(SparseSystem& system, double tolerance) {
  const auto columns = static_cast<std::int64_t>(system.rows.size());
  return solve_by(RotationFactors(std::move(system.rows), columns), system.b, tolerance);
}

std::int64_t solve_positive_definite(SparseSystem& system, double tolerance) {
  return solve_by(CholeskyFactors(system.rows), system.b, tolerance);
}

std::int64_t solve_by_lu(SparseSystem& system, double tolerance) {
  return solve_by(LuFactors(system.rows, 1), system.b, tolerance);
}

std::vector<EntryRow> shifted(std::vector<EntryRow> rows, DoubleComplex shift) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i] = combined(1, rows[i], -1, {{static_cast<std::int64_t>(i), shift}}, 0);
  }
  return rows;
}

void iterate_inverse(const std::vector<EntryRow>& rows, EigenPair& pair, int iterations, double tolerance) {
  constexpr double kNear = 4 * std::numeric_limits<double>::epsilon();
  double size = 0;
  for (const EntryRow& row : rows) {
    for (const auto& [column, value] : row) size = std::max(size, std::abs(value));
  }
  LuFactors factors(shifted(rows, pair.value), 1);
  if (factors.zero_pivot(0) >= 0) factors = LuFactors(shifted(rows, pair.value + kNear * std::max(size, 1.0)), 1);
  make_unit(pair.vector);
  for (int i = 0; i < iterations; ++i) {
    pair.vector = factors.solve(pair.vector);
    make_unit(pair.vector);
    EntryVector image(rows.size());
    for (std::size_t k = 0; k < rows.size(); ++k) {
      for (const auto& [column, value] : rows[k]) image[k] += product(value, pair.vector[column]);
    }
    DoubleComplex value = 0;
    for (std::size_t k = 0; k < rows.size(); ++k) value += product(std::conj(pair.vector[k]), image[k]);
    pair.value = value;
    for (std::size_t k = 0; k < rows.size(); ++k) image[k] -= product(value, pair.vector[k]);
    if (length_of(image) < tolerance) return;
  }
}

}  // namespace warpfiber::numerics
