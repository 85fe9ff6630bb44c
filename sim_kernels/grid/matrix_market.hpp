// SPDX-License-Identifier: Apache-2.0
// Reads sparse matrices in the Matrix Market format (R. Boisvert, R. Pozo, K. Remington, "The Matrix Market Exchange
// Formats", NISTIR 5935): coordinate, real or integer, general or symmetric. Host code.
#pragma once

#include <istream>
#include <string>
#include <vector>

namespace gallery {

/// One stored element; row and column count from 0.
struct MatrixEntry {
  unsigned row;
  unsigned column;
  double value;
};

/// A matrix as a list of its elements. Both triangles of a symmetric matrix are there; the order is the file's.
struct MatrixFile {
  unsigned rows = 0;
  unsigned columns = 0;
  std::vector<MatrixEntry> entries;
};

/// Throws std::runtime_error that says what is wrong and in which line.
MatrixFile read_matrix_market(std::istream& in);

/// The same from a file, whose name goes into the message.
MatrixFile read_matrix_market(const std::string& path);

}  // namespace gallery
