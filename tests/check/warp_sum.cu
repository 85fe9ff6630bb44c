// SPDX-License-Identifier: Apache-2.0
// Sums the numbers 1 to 64 the way it was done when the lanes of a warp ran in lock-step: each step of the last warp
// relies on the one before it having been made by all lanes.
#include <cstdio>

__global__ void sum_all(int* out) {
  __shared__ volatile int s[64];
  const unsigned t = threadIdx.x;
  s[t] = static_cast<int>(t) + 1;
  __syncthreads();
  if (t >= 32) return;
  s[t] = s[t] + s[t + 32];
  for (unsigned distance = 16; distance > 0; distance /= 2) {
    const int sum = s[t] + s[t + distance];
    s[t] = sum;
  }
  if (t == 0) *out = s[0];
}

int main() {
  int* out = nullptr;
  cudaMalloc(&out, sizeof *out);
  sum_all<<<1, 64>>>(out);
  const cudaError_t error = cudaGetLastError();
  int sum = 0;
  cudaMemcpy(&sum, out, sizeof sum, cudaMemcpyDeviceToHost);
  std::printf("%d %s\n", sum, cudaGetErrorName(error));
  cudaFree(out);
  return error != cudaSuccess;
}
