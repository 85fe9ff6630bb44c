// SPDX-License-Identifier: Apache-2.0
// Factors and solutions are computed in double precision and stored at the end.
#include "numerics/sparse/solves.hpp"

#include <array>
#include <cstddef>
#include <utility>

namespace warpfiber::numerics {
namespace {

/// An entry of a triangle that is not on its diagonal.
template <class Number>
struct TriangleEntry {
  std::int64_t column;
  Number value;
};

/// The triangle as it is used: the entries of each row, and the diagonal.
template <class Number>
struct UsedTriangle {
  std::vector<std::vector<TriangleEntry<Number>>> rows;
  std::vector<Number> diagonal;
  bool upper;
};

template <class Number>
Number narrowed(WideNumber value) {
  if constexpr (IsComplex<Number>::value) return value;
  return value.real();
}

template <class Number>
UsedTriangle<Number> used_triangle(const SparseMatrix& a, const SolvedValues& values, SparseTriangle triangle,
                                   MatrixUse use) {
  const auto size = static_cast<std::size_t>(a.rows);
  const bool plain = use == MatrixUse::plain;
  UsedTriangle<Number> used{std::vector<std::vector<TriangleEntry<Number>>>(size), std::vector<Number>(size),
                            triangle.upper == plain};
  if (triangle.unit) used.diagonal.assign(size, Number(1));
  for_each_entry(a, [&](std::int64_t row, std::int64_t column, std::int64_t i) {
    Number value = narrowed<Number>(values.entries[static_cast<std::size_t>(i)]);
    if (row == column && !values.diagonal.empty()) {
      value = narrowed<Number>(values.diagonal[static_cast<std::size_t>(row)]);
    }
    if (use == MatrixUse::conjugated) value = conjugate(value);
    if (row == column && !triangle.unit) used.diagonal[static_cast<std::size_t>(row)] = value;
    if (row == column || (row < column) != triangle.upper) return;
    used.rows[static_cast<std::size_t>(plain ? row : column)].push_back({plain ? column : row, value});
  });
  return used;
}

template <class Number>
void substitute(const UsedTriangle<Number>& triangle, std::vector<Number>& x) {
  const std::size_t size = x.size();
  for (std::size_t done = 0; done < size; ++done) {
    const std::size_t row = triangle.upper ? size - 1 - done : done;
    for (const TriangleEntry<Number>& entry : triangle.rows[row]) {
      x[row] -= product(entry.value, x[static_cast<std::size_t>(entry.column)]);
    }
    x[row] /= triangle.diagonal[row];
  }
}

/// A row of a matrix of few diagonals, in which elimination may fill further ones: columns `first` and on.
template <class Number>
struct BandRow {
  std::int64_t first = 0;
  std::array<Number, 7> values{};
  Number right{};

  Number at(std::int64_t column) const {
    const std::int64_t i = column - first;
    return i < 0 || i >= 7 ? Number{} : values[static_cast<std::size_t>(i)];
  }
};

template <class Number>
BandRow<Number> band_row(const Diagonals& diagonals, std::int64_t first_of_diagonals, std::int64_t row) {
  const std::array<const void*, 5> bands = {diagonals.second_lower, diagonals.lower, diagonals.middle, diagonals.upper,
                                            diagonals.second_upper};
  BandRow<Number> made{row - 2, {}, {}};
  for (std::size_t i = 0; i < bands.size(); ++i) {
    const std::int64_t column = row - 2 + static_cast<std::int64_t>(i);
    if (bands[i] == nullptr || column < 0 || column >= diagonals.size) continue;
    made.values[i] = value_at<Number>(diagonals.kind, bands[i], first_of_diagonals + row * diagonals.step);
  }
  return made;
}

/// `row` less the multiple of `pivot` that makes its element of `column` 0. Its columns begin where the pivot's do.
template <class Number>
void eliminate(BandRow<Number>& row, const BandRow<Number>& pivot, std::int64_t column) {
  const Number below = row.at(column);
  if (below == Number{}) return;
  const Number factor = below / pivot.at(column);
  BandRow<Number> changed{column, {}, row.right - product(factor, pivot.right)};
  for (std::int64_t i = 1; i < 7; ++i) {
    changed.values[static_cast<std::size_t>(i)] = row.at(column + i) - product(factor, pivot.at(column + i));
  }
  row = changed;
}

template <class Number>
void solve_band(std::vector<BandRow<Number>>& rows, bool exchange) {
  const auto size = static_cast<std::int64_t>(rows.size());
  const auto row = [&](std::int64_t i) -> BandRow<Number>& { return rows[static_cast<std::size_t>(i)]; };
  for (std::int64_t k = 0; k < size; ++k) {
    for (std::int64_t i = k + 1; exchange && i < size && i <= k + 2; ++i) {
      if (std::abs(row(i).at(k)) > std::abs(row(k).at(k))) std::swap(row(i), row(k));
    }
    for (std::int64_t i = k + 1; i < size && i <= k + 2; ++i) eliminate(row(i), row(k), k);
  }
  for (std::int64_t k = size - 1; k >= 0; --k) {
    for (std::int64_t i = k + 1; i < size && i <= k + 6; ++i) row(k).right -= product(row(k).at(i), row(i).right);
    row(k).right /= row(k).at(k);
  }
}

/// The entry of `row` in `column`; -1: there is none.
std::int64_t entry_at(const SparseMatrix& matrix, std::int64_t row, std::int64_t column) {
  for (std::int64_t i = matrix.outer_at(row); i < matrix.outer_at(row + 1); ++i) {
    if (matrix.inner_at(i) == column) return i;
  }
  return -1;
}

template <class Number>
void store(const SparseMatrix& matrix, const std::vector<Number>& values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    put_value(matrix.kind, const_cast<void*>(matrix.values), static_cast<std::int64_t>(i), values[i]);
  }
}

template <class Number>
std::vector<Number> loaded(const SparseMatrix& matrix) {
  std::vector<Number> values;
  for (std::int64_t i = 0; i < matrix.entries; ++i) values.push_back(value_at<Number>(matrix.kind, matrix.values, i));
  return values;
}

/// The product of what two rows have in the same columns below `end`; the second row's numbers are conjugated.
template <class Number>
Number product_of_rows(const SparseMatrix& matrix, const std::vector<Number>& values, std::int64_t one,
                       std::int64_t other, std::int64_t end) {
  Number sum{};
  for (std::int64_t i = matrix.outer_at(one); i < matrix.outer_at(one + 1); ++i) {
    if (matrix.inner_at(i) >= end) continue;
    const std::int64_t j = entry_at(matrix, other, matrix.inner_at(i));
    if (j >= 0) sum += product(values[static_cast<std::size_t>(i)], conjugate(values[static_cast<std::size_t>(j)]));
  }
  return sum;
}

template <class Number>
std::int64_t factorise_lu_of(const SparseMatrix& matrix, const PivotBoost& boost) {
  std::vector<Number> values = loaded<Number>(matrix);
  std::int64_t zero = -1;
  const auto value = [&](std::int64_t i) -> Number& { return values[static_cast<std::size_t>(i)]; };
  for (std::int64_t row = 0; row < matrix.rows; ++row) {
    for (std::int64_t i = matrix.outer_at(row); i < matrix.outer_at(row + 1); ++i) {
      const std::int64_t above = matrix.inner_at(i);
      if (above >= row) continue;
      const std::int64_t pivot = entry_at(matrix, above, above);
      value(i) /= pivot >= 0 ? value(pivot) : Number{};  // a device divides by 0 too
      for (std::int64_t j = matrix.outer_at(above); j < matrix.outer_at(above + 1); ++j) {
        if (matrix.inner_at(j) <= above) continue;
        const std::int64_t to = entry_at(matrix, row, matrix.inner_at(j));
        if (to >= 0) value(to) -= product(value(i), value(j));
      }
    }
    const std::int64_t diagonal = entry_at(matrix, row, row);
    if (boost.enabled && diagonal >= 0 && std::abs(value(diagonal)) <= boost.tolerance) {
      value(diagonal) = boost.value.value<Number>();
    }
    if (zero < 0 && (diagonal < 0 || value(diagonal) == Number{})) zero = row;
  }
  store(matrix, values);
  return zero;
}

template <class Number>
std::int64_t factorise_cholesky_of(const SparseMatrix& matrix) {
  std::vector<Number> values = loaded<Number>(matrix);
  std::int64_t zero = -1;
  for (std::int64_t row = 0; row < matrix.rows; ++row) {
    for (std::int64_t i = matrix.outer_at(row); i < matrix.outer_at(row + 1); ++i) {
      const std::int64_t column = matrix.inner_at(i);
      Number& value = values[static_cast<std::size_t>(i)];
      if (column > row) continue;
      const Number rest = value - product_of_rows(matrix, values, row, column, column);
      const std::int64_t pivot = entry_at(matrix, column, column);
      if (column == row) value = Number(std::sqrt(std::abs(real_part(rest))));  // as a device does
      if (column < row) value = pivot < 0 ? rest : rest / values[static_cast<std::size_t>(pivot)];
      // A negative one counts as 0.
      if (column == row && zero < 0 && !(real_part(rest) > 0)) zero = row;
    }
    if (zero < 0 && entry_at(matrix, row, row) < 0) zero = row;
  }
  store(matrix, values);
  return zero;
}

}  // namespace

SolvedValues values_of(const SparseMatrix& matrix) {
  SolvedValues values;
  for (std::int64_t i = 0; i < matrix.value_count(); ++i) {
    values.entries.push_back(value_at<WideNumber>(matrix.kind, matrix.values, i));
  }
  return values;
}

void solve_triangle(const SparseMatrix& a, const SolvedValues& values, SparseTriangle triangle, MatrixUse use_a,
                    const DenseMatrix& b, MatrixUse use_b, const DenseMatrix& c, const Scalar& alpha) {
  with_number(a.kind, [&]<class Number>(Number) {
    const UsedTriangle<Number> used = used_triangle<Number>(a, values, triangle, use_a);
    std::vector<std::vector<Number>> solutions;  // `c` may be `b`
    for (std::int64_t column = 0; column < c.columns; ++column) {
      std::vector<Number>& x = solutions.emplace_back();
      for (std::int64_t row = 0; row < c.rows; ++row) {
        x.push_back(product(alpha.value<Number>(), used_value<Number>(b, use_b, row, column)));
      }
      substitute(used, x);
    }
    for (std::int64_t column = 0; column < c.columns; ++column) {
      for (std::int64_t row = 0; row < c.rows; ++row) {
        put_value(c.kind, c.values, c.at(row, column),
                  solutions[static_cast<std::size_t>(column)][static_cast<std::size_t>(row)]);
      }
    }
  });
}

void solve_diagonals(const Diagonals& diagonals, std::int64_t first_of_diagonals, void* x, std::int64_t first,
                     bool exchange) {
  with_number(diagonals.kind, [&]<class Number>(Number) {
    std::vector<BandRow<Number>> rows;
    for (std::int64_t i = 0; i < diagonals.size; ++i) {
      rows.push_back(band_row<Number>(diagonals, first_of_diagonals, i));
      rows.back().right = value_at<Number>(diagonals.kind, x, first + i * diagonals.step);
    }
    solve_band(rows, exchange);
    for (std::int64_t i = 0; i < diagonals.size; ++i) {
      put_value(diagonals.kind, x, first + i * diagonals.step, rows[static_cast<std::size_t>(i)].right);
    }
  });
}

std::int64_t factorise_lu(const SparseMatrix& matrix, const PivotBoost& boost) {
  return with_number(matrix.kind, [&]<class Number>(Number) { return factorise_lu_of<Number>(matrix, boost); });
}

std::int64_t factorise_cholesky(const SparseMatrix& matrix) {
  return with_number(matrix.kind, [&]<class Number>(Number) { return factorise_cholesky_of<Number>(matrix); });
}

std::int64_t row_without_diagonal(const SparseMatrix& matrix) {
  for (std::int64_t row = 0; row < matrix.rows; ++row) {
    if (entry_at(matrix, row, row) < 0) return row;
  }
  return -1;
}

}  // namespace warpfiber::numerics
