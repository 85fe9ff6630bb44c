// SPDX-License-Identifier: Apache-2.0
//
// Matrix Market files: what is read, and that everything wrong with one is told with its line.
#include "grid/matrix_market.hpp"

#include <sstream>

#include "support/catch.hpp"

using Catch::Matchers::ContainsSubstring;
using gallery::MatrixFile;
using gallery::read_matrix_market;

namespace {

const std::string kBanner = "%%MatrixMarket matrix coordinate real general\n";

MatrixFile read(const std::string& text) {
  std::istringstream in(text);
  return read_matrix_market(in);
}

}  // namespace

TEST_CASE("a general matrix is read as it stands") {
  const MatrixFile matrix = read(kBanner + "% a comment\n\n2 3 2\n1 3 2.5\n2 1 -1e2\n");
  CHECK(matrix.rows == 2);
  CHECK(matrix.columns == 3);
  REQUIRE(matrix.entries.size() == 2);
  CHECK(matrix.entries[0].row == 0);
  CHECK(matrix.entries[0].column == 2);
  CHECK(matrix.entries[0].value == 2.5);
  CHECK(matrix.entries[1].value == -100);
}

TEST_CASE("a symmetric matrix gets both its triangles") {
  const MatrixFile matrix = read("%%matrixmarket MATRIX Coordinate Integer Symmetric\n2 2 2\n1 1 4\n2 1 -1\n");
  REQUIRE(matrix.entries.size() == 3);
  CHECK(matrix.entries[2].row == 0);
  CHECK(matrix.entries[2].column == 1);
  CHECK(matrix.entries[2].value == -1);
}

TEST_CASE("the shipped system is the five-point Laplacian of 64 x 64 points") {
  const MatrixFile matrix = read_matrix_market(WARPFIBER_GALLERY_DATA "/poisson.mtx");
  CHECK(matrix.rows == 4096);
  CHECK(matrix.columns == 4096);
  CHECK(matrix.entries.size() == 4096 + 4 * 64 * 63);
  std::vector<double> row_sums(matrix.rows, 0);
  for (const auto& entry : matrix.entries) row_sums[entry.row] += entry.value;
  double rim = 0;
  for (const double sum : row_sums) rim += sum;
  CHECK(rim == 4 * 64);
}

TEST_CASE("what is wrong with a file is told with its line") {
  struct Case {
    std::string text;
    const char* complaint;
  };
  const Case wrong = GENERATE(values<Case>({
      {"", "line 1: not a Matrix Market matrix"},
      {"%%MatrixMarket matrix array real general\n", "line 1: format array is not read"},
      {"%%MatrixMarket matrix coordinate complex general\n", "line 1: field complex is not read"},
      {"%%MatrixMarket matrix coordinate real hermitian\n", "line 1: symmetry hermitian is not read"},
      {kBanner, "line 2: the file ends too early"},
      {kBanner + "2 2\n", "line 2: expected rows"},
      {kBanner + "5000000000 2 1\n", "line 2: the matrix is too large"},
      {kBanner + "2 2 2\n1 1 1\n", "line 4: the file ends too early"},
      {kBanner + "2 2 1\n3 1 1\n", "line 3: outside the matrix"},
      {kBanner + "2 2 1\n0 1 1\n", "line 3: outside the matrix"},
      {kBanner + "2 2 1\n1 1 x\n", "line 3: expected row, column and value"},
  }));
  CHECK_THROWS_WITH(read(wrong.text), ContainsSubstring(wrong.complaint));
}

TEST_CASE("a file that is not there is named") {
  CHECK_THROWS_WITH(read_matrix_market("no/such.mtx"), ContainsSubstring("no/such.mtx"));
}
