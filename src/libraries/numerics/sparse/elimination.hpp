// SPDX-License-Identifier: Apache-2.0
// Factors of sparse matrices by elimination, in the order that rows and columns have. What fills in is kept, so a
// matrix with entries far from its diagonal takes much memory: see orderings.hpp. All of it is computed in complex
// double precision.
#pragma once

#include <complex>
#include <cstdint>
#include <utility>
#include <vector>

namespace warpfiber::numerics {

/// Entries of a row, by column in ascending order; the columns are distinct.
using EntryRow = std::vector<std::pair<std::int64_t, std::complex<double>>>;
using EntryVector = std::vector<std::complex<double>>;

/// A system with a square matrix. `b` becomes the solution.
struct SparseSystem {
  std::vector<EntryRow> rows;
  EntryVector b;
};

/// R of a matrix with at least as many rows as columns, by Givens' rotations (George and Heath, 1980).
class RotationFactors {
 public:
  RotationFactors(std::vector<EntryRow> rows, std::int64_t columns);

  /// The first row of R whose diagonal is at most `tolerance`, and -1 if there is none.
  [[nodiscard]] std::int64_t zero_pivot(double tolerance) const;
  /// The x, of as many elements as there are columns, for which A x is nearest to `b`. Of use where no pivot is zero.
  [[nodiscard]] EntryVector solve(const EntryVector& b) const;

 private:
  /// Of two rows of the matrix: `pivot` becomes c * f + s * g, and the other c * g - conj(s) * f.
  struct Turn {
    std::int64_t pivot;
    std::int64_t row;
    double c;
    std::complex<double> s;
  };

  std::vector<EntryRow> r_;
  std::vector<std::int64_t> row_of_;  // which row of the matrix becomes a row of R; -1: none
  std::vector<Turn> turns_{};
};

/// Cholesky's factor of the lower triangle, as U with A = U^H D^-1 U, where D is the diagonal of U.
class CholeskyFactors {
 public:
  explicit CholeskyFactors(const std::vector<EntryRow>& rows);

  /// The first row whose pivot is at most `tolerance`, and -1 if there is none.
  [[nodiscard]] std::int64_t zero_pivot(double tolerance) const;
  [[nodiscard]] EntryVector solve(const EntryVector& b) const;
  /// The diagonal of L with A = L L^H.
  [[nodiscard]] std::vector<double> diagonal() const;

 private:
  std::vector<EntryRow> upper_;
  std::int64_t done_ = 0;  // rows before the first without a positive pivot
};

/// L and U of a square matrix, whose rows are exchanged: row rows()[i] of A is row i of L U (Gilbert and Peierls,
/// 1988).
class LuFactors {
 public:
  /// The diagonal is the pivot where it is at least `threshold` times the largest number of its column.
  LuFactors(const std::vector<EntryRow>& rows, double threshold);

  /// The first column whose pivot is at most `tolerance`, and -1 if there is none.
  [[nodiscard]] std::int64_t zero_pivot(double tolerance) const;
  [[nodiscard]] EntryVector solve(const EntryVector& b) const;

  [[nodiscard]] const std::vector<std::int64_t>& rows() const { return row_of_; }
  /// By rows; L is without its diagonal, which is one.
  [[nodiscard]] std::vector<EntryRow> lower() const;
  [[nodiscard]] std::vector<EntryRow> upper() const;

 private:
  struct Column;

  void eliminate(const EntryRow& column, Column& work);
  void keep(Column& work, double threshold);

  std::vector<EntryRow> lower_;  // columns: the row of A and its number; without the diagonal
  std::vector<EntryRow> upper_;  // columns: the position and its number; the diagonal is last
  std::vector<std::int64_t> row_of_;
  std::vector<std::int64_t> position_;  // of each row of A; -1: none yet
};

/// By rotations. Returns RotationFactors::zero_pivot(). Without a solution `b` is as it was.
std::int64_t solve_by_rotations(SparseSystem& system, double tolerance);

/// By Cholesky's factor. Returns CholeskyFactors::zero_pivot().
std::int64_t solve_positive_definite(SparseSystem& system, double tolerance);

/// By L and U, with the largest number of each column as its pivot. Returns LuFactors::zero_pivot().
std::int64_t solve_by_lu(SparseSystem& system, double tolerance);

/// The matrix less `shift` times the identity.
std::vector<EntryRow> shifted(std::vector<EntryRow> rows, std::complex<double> shift);

/// An eigenvalue and its vector, whose length is one.
struct EigenPair {
  std::complex<double> value;
  EntryVector vector;
};

/// The eigenvalue near `pair.value`, from the vector that the pair has, by inverse iteration. Ends when A x is within
/// `tolerance` of the value times x, or after `iterations`.
void iterate_inverse(const std::vector<EntryRow>& rows, EigenPair& pair, int iterations, double tolerance);

}  // namespace warpfiber::numerics
