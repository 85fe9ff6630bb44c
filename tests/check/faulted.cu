// SPDX-License-Identifier: Apache-2.0
// A processor fault near an allocation names it, in a program without access hooks too.
#include <cstdio>

__global__ void fill(int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= n) out[i] = i;
}

int main() {
  constexpr int kCount = 1024;  // whole pages, behind which nothing is mapped
  int* d_out = nullptr;
  cudaMalloc(&d_out, kCount * sizeof(int));
  fill<<<kCount / 64 + 1, 64>>>(d_out, kCount);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(d_out);
}
