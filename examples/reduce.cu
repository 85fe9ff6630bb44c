// SPDX-License-Identifier: Apache-2.0
//
// The sum of N numbers: a tree in shared memory for each block, and an atomic for the sums of the blocks.
//   reduce [N]
#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void reduce(const int* in, unsigned n, unsigned long long* sum) {
  __shared__ unsigned long long partial[256];
  unsigned long long mine = 0;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) mine += in[i];
  partial[threadIdx.x] = mine;
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) partial[threadIdx.x] += partial[threadIdx.x + half];
  }
  if (threadIdx.x == 0) atomicAdd(sum, partial[0]);
}

int main(int argc, char** argv) {
  const unsigned n = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 1000;
  const std::vector<int> values(n, 3);
  unsigned long long *sum, result = 0;
  int* in;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&sum, sizeof result);
  cudaMemcpy(in, values.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(sum, 0, sizeof result);
  reduce<<<64, 256>>>(in, n, sum);
  const cudaError_t error = cudaMemcpy(&result, sum, sizeof result, cudaMemcpyDeviceToHost);
  std::printf("%s: the sum of %u numbers is %llu\n", cudaGetErrorString(error), n, result);
  cudaFree(in);
  cudaFree(sum);
  return error == cudaSuccess && result == 3ull * n ? 0 : 1;
}
