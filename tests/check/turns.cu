// SPDX-License-Identifier: Apache-2.0
// Barriers in loops that some threads have left, or left out. The first argument says which.
#include <cstdio>
#include <cstring>

__global__ void skipped(int n, int* out) {
  __shared__ int s[64];
  const int turns = threadIdx.x < 32 ? n : n - 1;
  for (int i = 0; i < turns; ++i) {
    s[threadIdx.x] = i;
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x ^ 1];
    __syncwarp();
  }
}
__global__ void differ(int n, int* out) {
  const int turns = threadIdx.x < 32 ? n : n - 1;
  for (int i = 0; i < turns; ++i) {
    __syncthreads();
  }
  out[threadIdx.x] = turns;
  __syncthreads();
}

int main(int argc, char** argv) {
  const auto asked = [&](const char* what) { return argc > 1 && std::strcmp(argv[1], what) == 0; };
  int* out;
  cudaMalloc(&out, 256);
  if (asked("skipped")) skipped<<<1, 64>>>(4, out);
  if (asked("differ")) differ<<<1, 64>>>(4, out);
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
