// SPDX-License-Identifier: Apache-2.0
//
// Tests of a kernel with GoogleTest. The second is right by chance: threads that count the same value race.
#include <gtest/gtest.h>

#include <vector>

__global__ void count(const int* values, int* counts) {
  counts[values[threadIdx.x]] += 1;
}

std::vector<int> counted(const std::vector<int>& values) {
  int* device_values = nullptr;
  int* counts = nullptr;
  cudaMalloc(&device_values, values.size() * sizeof(int));
  cudaMalloc(&counts, 4 * sizeof(int));
  cudaMemcpy(device_values, values.data(), values.size() * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(counts, 0, 4 * sizeof(int));
  count<<<1, static_cast<unsigned>(values.size())>>>(device_values, counts);
  std::vector<int> result(4);
  cudaMemcpy(result.data(), counts, 4 * sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(device_values);
  cudaFree(counts);
  return result;
}

TEST(Count, EachValueOnce) {
  EXPECT_EQ(counted({2, 0, 3, 1}), std::vector<int>({1, 1, 1, 1}));
}

TEST(Count, ValuesThatRepeat) {
  EXPECT_EQ(counted({0, 3, 0, 3}), std::vector<int>({2, 0, 0, 2}));
}
