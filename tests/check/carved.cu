// SPDX-License-Identifier: Apache-2.0
//
// Vectors are carved out of shared memory at an offset that is no multiple of their size, and written and read there.
#include <cstdio>

__global__ void carve(int* out) {
  __shared__ alignas(16) char pool[552];
  auto* vectors = reinterpret_cast<int4*>(pool + 40);
  vectors[threadIdx.x] = make_int4(1, 2, 3, 4);
  __syncthreads();
  const int4 other = vectors[31 - threadIdx.x];
  out[threadIdx.x] = other.x + other.w;
}

int main() {
  int* out;
  cudaMalloc(&out, 32 * sizeof(int));
  carve<<<1, 32>>>(out);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(out);
}
