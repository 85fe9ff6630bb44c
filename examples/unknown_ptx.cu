// SPDX-License-Identifier: Apache-2.0
//
// A function with inline PTX that is not modelled, as headers of libraries have many. It matters where a thread gets
// there: with an argument the kernel does (docs/ptx.md).
#include <cstdio>

__device__ void wait_for_loads() {
  asm volatile("tcgen05.wait::ld.sync.aligned;" ::: "memory");
}

__global__ void store(int* out, bool waits) {
  if (waits) wait_for_loads();
  out[threadIdx.x] = threadIdx.x;
}

int main(int argc, char**) {
  int* out;
  cudaMalloc(&out, 32 * sizeof(int));
  store<<<1, 32>>>(out, argc > 1);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(out);
}
