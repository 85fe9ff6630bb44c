// SPDX-License-Identifier: Apache-2.0
// A sum of 20 lanes by shuffles that count, which reach lanes that have returned.
#include <cstdio>

__global__ void sum(int* out) {
  if (threadIdx.x >= 20) return;
  int value = static_cast<int>(threadIdx.x);
  for (int apart = 16; apart > 0; apart /= 2) value += __shfl_down_sync(0xffffffffu, value, apart);
  if (threadIdx.x == 0) *out = value;
}

int main() {
  int *out, h;
  cudaMalloc(&out, sizeof h);
  sum<<<1, 32>>>(out);
  cudaMemcpy(&h, out, sizeof h, cudaMemcpyDeviceToHost);
  std::printf("%d\n", h);
}
