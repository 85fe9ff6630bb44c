// SPDX-License-Identifier: Apache-2.0
// A tree reduction in two blocks whose loop lacks a barrier.
#include <cstdio>

__global__ void reduce(const int* in, int* out) {
  __shared__ int sum[64];
  const unsigned i = threadIdx.x;
  sum[i] = in[blockIdx.x * blockDim.x + i];
  __syncthreads();
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    if (i < half) {
      sum[i] += sum[i + half];
    }
  }
  __syncthreads();
  if (i == 0) {
    out[blockIdx.x] = sum[0];
  }
}

int main() {
  constexpr int kCount = 128;
  int host[kCount], *in = nullptr, *out = nullptr;
  for (int i = 0; i < kCount; ++i) host[i] = i;
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&out, 2 * sizeof(int));
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  std::printf("launching\n");
  reduce<<<2, 64>>>(in, out);
  int sums[2] = {};
  cudaMemcpy(sums, out, sizeof sums, cudaMemcpyDeviceToHost);
  std::printf("sums %d %d\n", sums[0], sums[1]);
  return 0;
}
