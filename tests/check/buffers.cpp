// SPDX-License-Identifier: Apache-2.0
// Buffers of the native API: what is uploaded and filled may be read; with an argument, one that nobody has written is
// downloaded.
#include <warpfiber/warpfiber.hpp>

#include <vector>

__global__ void add(const int* one, const int* other, int* to) {
  to[threadIdx.x] = one[threadIdx.x] + other[threadIdx.x];
}

int main(int argc, char**) {
  warpfiber::Buffer<int> one(std::vector<int>(64, 1)), other(64), sums(64), unused(64);
  other.fill(2);
  warpfiber::launch({.block = 64}, add, one.data(), other.data(), sums.data());
  const std::vector<int> host = (argc > 1 ? unused : sums).download();
  return argc > 1 || host[63] == 3 ? 0 : 1;
}
