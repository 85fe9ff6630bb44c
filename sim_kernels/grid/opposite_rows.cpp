// SPDX-License-Identifier: Apache-2.0
// Runs opposite_rows with Setting::grid x Setting::block columns. Setting::size counts rows; blocks may have any size.
#include "opposite_rows.hpp"

#include "grid.hpp"

namespace gallery {

namespace {

/// Going up two rows leads back to the same column, so no row needs the one before.
std::vector<int> reference(const std::vector<int>& first_row, std::size_t rows) {
  const std::size_t columns = first_row.size();
  std::vector<int> matrix;
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t column = 0; column < columns; ++column) {
      const std::size_t origin = row % 2 == 0 ? column : columns - 1 - column;
      matrix.push_back(first_row[origin] + static_cast<int>(row));
    }
  }
  return matrix;
}

}  // namespace

Record run_opposite_rows(const Setting& setting) {
  const std::size_t columns = std::size_t{setting.grid} * setting.block;
  const auto first_row = sample<int>(columns, 1, 1000);
  warpfiber::Buffer<int> matrix(columns * setting.size);
  matrix.upload(first_row);
  Trial trial(setting);
  trial.launch<opposite_rows>({.grid = setting.grid, .block = setting.block, .cooperative = true}, matrix.data(),
                              static_cast<unsigned>(setting.size));
  return trial.compare(matrix.download(), reference(first_row, setting.size));
}

}  // namespace gallery
