// SPDX-License-Identifier: Apache-2.0
// The reader of Matrix Market files: a banner, comments, a line of sizes, then a line for each stored element.
#include "matrix_market.hpp"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <limits>
#include <sstream>
#include <stdexcept>

namespace gallery {

namespace {

class Reader {
 public:
  explicit Reader(std::istream& in) : in_(in) {}

  MatrixFile read() {
    const bool symmetric = read_banner();
    const std::size_t stored = read_sizes();
    for (std::size_t i = 0; i < stored; ++i) read_entry(symmetric);
    return matrix_;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw std::runtime_error("line " + std::to_string(line_number_) + ": " + what);
  }

  /// The next line that is neither empty nor a comment.
  std::istringstream next_line() {
    std::string line;
    while (std::getline(in_, line)) {
      ++line_number_;
      if (line.find_first_not_of(" \t\r") != std::string::npos && line[0] != '%') return std::istringstream(line);
    }
    ++line_number_;
    fail("the file ends too early");
  }

  /// True for a symmetric matrix. Words of the banner may be written in capitals.
  bool read_banner() {
    std::string line;
    std::getline(in_, line);
    ++line_number_;
    std::transform(line.begin(), line.end(), line.begin(), [](unsigned char c) { return std::tolower(c); });
    std::istringstream words(line);
    std::string banner, object, format, field, symmetry;
    words >> banner >> object >> format >> field >> symmetry;
    if (banner != "%%matrixmarket" || object != "matrix") fail("not a Matrix Market matrix");
    if (format != "coordinate") fail("format " + format + " is not read, only coordinate");
    if (field != "real" && field != "integer") fail("field " + field + " is not read, only real and integer");
    if (symmetry != "general" && symmetry != "symmetric") fail("symmetry " + symmetry + " is not read");
    return symmetry == "symmetric";
  }

  std::size_t read_sizes() {
    constexpr std::size_t kMost = std::numeric_limits<unsigned>::max();
    std::size_t rows = 0, columns = 0, stored = 0;
    if (!(next_line() >> rows >> columns >> stored)) fail("expected rows, columns and number of elements");
    if (rows > kMost || columns > kMost) fail("the matrix is too large");
    matrix_.rows = static_cast<unsigned>(rows);
    matrix_.columns = static_cast<unsigned>(columns);
    return stored;
  }

  void read_entry(bool symmetric) {
    unsigned row = 0, column = 0;
    double value = 0;
    if (!(next_line() >> row >> column >> value)) fail("expected row, column and value");
    if (row < 1 || row > matrix_.rows || column < 1 || column > matrix_.columns) fail("outside the matrix");
    matrix_.entries.push_back({row - 1, column - 1, value});
    if (symmetric && row != column) matrix_.entries.push_back({column - 1, row - 1, value});
  }

  std::istream& in_;
  std::size_t line_number_ = 0;
  MatrixFile matrix_;
};

}  // namespace

MatrixFile read_matrix_market(std::istream& in) {
  return Reader(in).read();
}

MatrixFile read_matrix_market(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot read " + path);
  try {
    return read_matrix_market(file);
  } catch (const std::runtime_error& error) {
    throw std::runtime_error(path + ": " + error.what());
  }
}

}  // namespace gallery
