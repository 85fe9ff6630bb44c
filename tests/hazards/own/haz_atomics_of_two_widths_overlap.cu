// expect: race-global
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: silent
// row: R4
// why: an atomic of 64 bits and one of 32 on half of its bytes are not atomic with respect to each other
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void add(int* words) {
  auto* const wide = reinterpret_cast<unsigned long long*>(words);
  if (threadIdx.x == 0) {
    atomicAdd(wide, 1ULL << 32);  // @A
  } else if (threadIdx.x == 32) {
    atomicAdd(words + 1, 1);  // @B
  }
}

int main() {
  int *d, h[2];
  CK(cudaMalloc(&d, sizeof h));
  CK(cudaMemset(d, 0, sizeof h));
  add<<<1, 64>>>(d);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
  CK(cudaFree(d));
  std::printf("got %d\n", h[1]);
}
