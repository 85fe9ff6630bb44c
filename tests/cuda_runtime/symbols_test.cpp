// SPDX-License-Identifier: Apache-2.0
// Variables of a device by their symbol.
#include <cuda_runtime.h>

#include <warpfiber/cuda/translated.hpp>

#include "support/catch.hpp"

namespace {

int table[4] = {1, 2, 3, 4};
const warpfiber::cuda::Variable table_known{table, "table", warpfiber::cuda::VariableKind::constant};
int unknown[4] = {};

}  // namespace

TEST_CASE("a symbol is written and read at an offset") {
  const int two[] = {20, 30};
  REQUIRE(cudaMemcpyToSymbol(table, two, sizeof two, sizeof(int)) == cudaSuccess);
  int all[4] = {};
  REQUIRE(cudaMemcpyFromSymbol(all, table, sizeof all) == cudaSuccess);
  CHECK(all[0] == 1);
  CHECK(all[1] == 20);
  CHECK(all[2] == 30);
  CHECK(all[3] == 4);
  REQUIRE(cudaMemcpyFromSymbolAsync(all, table, sizeof(int), 2 * sizeof(int)) == cudaSuccess);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(all[0] == 30);
}

TEST_CASE("a symbol has an address and a size") {
  void* address = nullptr;
  std::size_t bytes = 0;
  REQUIRE(cudaGetSymbolAddress(&address, table) == cudaSuccess);
  REQUIRE(cudaGetSymbolSize(&bytes, table) == cudaSuccess);
  CHECK(address == table);
  CHECK(bytes == sizeof table);
  REQUIRE(cudaMemset(address, 0, bytes) == cudaSuccess);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(table[3] == 0);
}

TEST_CASE("what is no symbol, or not in it, or in the wrong direction, is refused") {
  int value = 0;
  void* address = nullptr;
  CHECK(cudaMemcpyToSymbol(unknown, &value, 4) == cudaErrorInvalidSymbol);
  CHECK(cudaGetSymbolAddress(&address, unknown) == cudaErrorInvalidSymbol);
  CHECK(cudaMemcpyToSymbol(table, table, 4, sizeof table) == cudaErrorInvalidValue);
  CHECK(cudaMemcpyToSymbol(table, &value, 4, 0, cudaMemcpyDeviceToHost) == cudaErrorInvalidMemcpyDirection);
  CHECK(cudaMemcpyFromSymbol(&value, table, 4, 0, cudaMemcpyHostToDevice) == cudaErrorInvalidMemcpyDirection);
}
