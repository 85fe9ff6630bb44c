// SPDX-License-Identifier: Apache-2.0
// Variables of a device by their symbol.
#include <cuda_runtime.h>

#include <warpfiber/translated/kernels.hpp>

#include "support/catch.hpp"

namespace {

int table[4] = {1, 2, 3, 4};
const warpfiber::cuda::Variable table_known{table, "table", warpfiber::cuda::VariableKind::constant};
const float factors[3] = {1, 2, 3};
const warpfiber::cuda::Variable factors_known{factors, "factors", warpfiber::cuda::VariableKind::constant};
int counter = 7;
const warpfiber::cuda::Variable counter_known{counter, "counter", warpfiber::cuda::VariableKind::device};
int zeros[1000];
const warpfiber::cuda::Variable zeros_known{zeros, "zeros", warpfiber::cuda::VariableKind::device};
int managed = 7;
const warpfiber::cuda::Variable managed_known{managed, "managed", warpfiber::cuda::VariableKind::managed};
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

TEST_CASE("a constant is a symbol that cannot be written") {
  float values[3] = {};
  void* address = nullptr;
  std::size_t bytes = 0;
  CHECK(cudaMemcpyFromSymbol(values, factors, sizeof values) == cudaSuccess);
  CHECK(values[2] == 3);
  CHECK(cudaGetSymbolAddress(&address, factors) == cudaSuccess);
  CHECK(address == factors);
  CHECK(cudaGetSymbolSize(&bytes, factors) == cudaSuccess);
  CHECK(bytes == sizeof factors);
  CHECK(cudaMemcpyToSymbol(factors, values, sizeof values) == cudaErrorInvalidValue);
}

TEST_CASE("a reset gives variables the values they began with") {
  counter = managed = 8;
  zeros[999] = 8;
  REQUIRE(cudaDeviceReset() == cudaSuccess);
  CHECK(counter == 7);
  CHECK(zeros[999] == 0);
  CHECK(managed == 8);
}
