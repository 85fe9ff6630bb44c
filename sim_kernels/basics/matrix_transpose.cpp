// SPDX-License-Identifier: Apache-2.0
// Runs matrix_transpose on a matrix that is not square. Setting::size counts rows; Setting::block is a multiple of 32.
#include "matrix_transpose.hpp"

#include "basics.hpp"

namespace gallery {

namespace {

std::vector<int> reference(const std::vector<int>& in, std::size_t rows, std::size_t columns) {
  std::vector<int> out(in.size());
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t column = 0; column < columns; ++column) out[column * rows + row] = in[row * columns + column];
  }
  return out;
}

}  // namespace

Record run_matrix_transpose(const Setting& setting) {
  const auto rows = static_cast<unsigned>(setting.size);
  const unsigned columns = rows / 2 + 5;
  const auto in = sample<int>(std::size_t{rows} * columns, 1, 1000);
  const warpfiber::Buffer<int> device_in(in);
  warpfiber::Buffer<int> out(in.size());
  const dim3 grid(covering_blocks(columns, kTransposeTile), covering_blocks(rows, kTransposeTile));
  const dim3 block(kTransposeTile, setting.block / kTransposeTile);
  Trial trial(setting);
  trial.launch<matrix_transpose>({.grid = grid, .block = block}, device_in.data(), out.data(), rows, columns);
  return trial.compare(out.download(), reference(in, rows, columns));
}

}  // namespace gallery
