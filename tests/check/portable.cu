// SPDX-License-Identifier: Apache-2.0
// Right, and not portable, in the ways that its arguments name: threads that return before a barrier, stores of one value
// by several threads.
#include <cstdio>
#include <cstring>

__global__ void leave_early(int* out) {
  if (threadIdx.x >= 40) return;
  out[threadIdx.x] = 1;
  __syncthreads();
  if (threadIdx.x == 0) out[40] = out[39];
}

__global__ void store_the_same(int* out) {
  if (threadIdx.x % 2 == 0) out[0] = 1;
}

int main(int argc, char** argv) {
  int* out = nullptr;
  cudaMalloc(&out, 64 * sizeof *out);
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "leave") == 0) leave_early<<<1, 64>>>(out);
    if (std::strcmp(argv[i], "store") == 0) store_the_same<<<1, 64>>>(out);
  }
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  cudaFree(out);
}
