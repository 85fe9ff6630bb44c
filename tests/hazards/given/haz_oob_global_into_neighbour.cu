// expect: oob-global
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: core
// hw: silent
// why: a pointer derived from one allocation reaches into another live one (mapped memory, wrong object)
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void poke(char* base, long long offset) {
  base[offset] = 1;  // @A
}

int main() {
  char *a, *b;
  CK(cudaMalloc(&a, 256));
  CK(cudaMalloc(&b, 256));
  poke<<<1, 1>>>(a, b - a);  // provenance: a, target: b
  CK(cudaGetLastError());
  CK(cudaDeviceSynchronize());
  std::printf("finished\n");
  CK(cudaFree(a));
  CK(cudaFree(b));
}
