// SPDX-License-Identifier: Apache-2.0
// Two mistakes in one kernel: an index far out of bounds, and a race behind it. The first does not hide the second:
//   warpfiber check left_out.cu
#include <cstdio>

__global__ void scatter(const int* to, int* out) {
  if (threadIdx.x == 0) out[to[0]] = 1;  // to[0] is 1,000,000,000
  if (threadIdx.x < 2) out[1] += 1;
}

int main() {
  int first = 1000000000;
  int* to = nullptr;
  int* out = nullptr;
  cudaMalloc(&to, sizeof first);
  cudaMalloc(&out, 64 * sizeof *out);
  cudaMemcpy(to, &first, sizeof first, cudaMemcpyHostToDevice);
  cudaMemset(out, 0, 64 * sizeof *out);
  scatter<<<1, 32>>>(to, out);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(to);
  cudaFree(out);
}
