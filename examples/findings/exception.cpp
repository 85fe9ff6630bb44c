// SPDX-License-Identifier: Apache-2.0
//
// A kernel in ordinary C++ whose std::vector throws; corrected, it checks the index first.
#include <cstdio>
#include <vector>

#include <warpfiber/warpfiber.hpp>

void lookup(const std::vector<int>& table, int* out) {
  out[threadIdx.x] = table.at(threadIdx.x);  // throws std::out_of_range past the end
}

void lookup_in_bounds(const int* table, unsigned size, int* out) {
  if (threadIdx.x < size) out[threadIdx.x] = table[threadIdx.x];
}

int main() {
  const std::vector<int> table(7, 1);
  warpfiber::Buffer<int> on_device(table), out(32);
  warpfiber::launch({.grid = 1, .block = 32}, lookup_in_bounds, on_device.data(), 7u, out.data());
  const auto result = warpfiber::launch({.grid = 1, .block = 32}, lookup, table, out.data());
  std::printf("%s\n", warpfiber::error_name(result.error()));
}
