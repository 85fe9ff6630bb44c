// SPDX-License-Identifier: Apache-2.0
// All threads add to one sum, and nothing is atomic: one defect, although each addition reads and writes.
#include <cstdio>

__global__ void sum(const int* in, int* out) {
  __shared__ int total;
  if (threadIdx.x == 0) total = 0;
  __syncthreads();
  total += in[threadIdx.x];
  __syncthreads();
  if (threadIdx.x == 0) *out = total;
}

int main() {
  int h[128], *in, *out;
  for (int i = 0; i < 128; ++i) h[i] = i;
  cudaMalloc(&in, sizeof h);
  cudaMalloc(&out, sizeof(int));
  cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
  sum<<<1, 128>>>(in, out);
  cudaMemcpy(h, out, sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%d\n", h[0]);
}
