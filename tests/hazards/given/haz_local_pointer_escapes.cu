// expect: local-escape
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: core
// hw: silent
// why: thread 0 publishes the address of a local variable; for any other thread it names its own local memory
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void leak(int* out) {
  __shared__ int* published;
  volatile int mine[4] = {100 + int(threadIdx.x), 1, 2, 3};
  if (threadIdx.x == 0) published = const_cast<int*>(mine);
  __syncthreads();
  out[threadIdx.x] = *published + mine[threadIdx.x % 4];  // @A
}

int main() {
  int h[32], *out;
  CK(cudaMalloc(&out, sizeof h));
  leak<<<1, 32>>>(out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  std::printf("thread 1 read %d, a shared address space would give 101\n", h[1]);
  CK(cudaFree(out));
}
