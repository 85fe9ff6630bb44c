// SPDX-License-Identifier: Apache-2.0
// Runs matrix_product with tiles of 8, 16 or 32. Setting::size counts rows of the first matrix; Setting::block is the
// number of threads of a tile: 64, 256 or 1024.
#include "matrix_product.hpp"

#include "basics.hpp"

namespace gallery {

namespace {

std::vector<int> reference(const std::vector<int>& a, const std::vector<int>& b, const ProductShape& shape) {
  std::vector<int> product(std::size_t{shape.rows} * shape.columns, 0);
  for (std::size_t i = 0; i < shape.rows; ++i) {
    for (std::size_t j = 0; j < shape.columns; ++j) {
      for (std::size_t k = 0; k < shape.inner; ++k) {
        product[i * shape.columns + j] += a[i * shape.inner + k] * b[k * shape.columns + j];
      }
    }
  }
  return product;
}

template <unsigned Tile>
Record run_with_tile(const Setting& setting) {
  const auto rows = static_cast<unsigned>(setting.size);
  const ProductShape shape{rows, rows / 2 + 3, rows / 3 + 7};
  const auto a = sample<int>(std::size_t{shape.rows} * shape.inner, 1, 100);
  const auto b = sample<int>(std::size_t{shape.inner} * shape.columns, 2, 100);
  const warpfiber::Buffer<int> device_a(a);
  const warpfiber::Buffer<int> device_b(b);
  warpfiber::Buffer<int> product(std::size_t{shape.rows} * shape.columns);
  const dim3 grid(covering_blocks(shape.columns, Tile), covering_blocks(shape.rows, Tile));
  Trial trial(setting);
  trial.launch<matrix_product<Tile>>({.grid = grid, .block = dim3(Tile, Tile)}, device_a.data(), device_b.data(),
                                     product.data(), shape);
  return trial.compare(product.download(), reference(a, b, shape));
}

}  // namespace

Record run_matrix_product(const Setting& setting) {
  if (setting.block == 64) return run_with_tile<8>(setting);
  return setting.block == 256 ? run_with_tile<16>(setting) : run_with_tile<32>(setting);
}

}  // namespace gallery
