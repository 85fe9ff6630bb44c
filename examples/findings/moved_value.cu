// SPDX-License-Identifier: Apache-2.0
// A kernel copies an uninitialised value, which is used where the host copies it.
#include <cstdio>

__global__ void copy(const int* in, int* out) {
  out[threadIdx.x] = in[threadIdx.x];
}

int main() {
  int *in, *out, result[64];
  cudaMalloc(&in, sizeof result);
  cudaMalloc(&out, sizeof result);
  cudaMemset(in, 0, 48 * sizeof(int));
  copy<<<1, 64>>>(in, out);
  cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost);
  std::printf("%d\n", result[0]);
  cudaFree(in);
  cudaFree(out);
}
