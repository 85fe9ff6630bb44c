// expect: misaligned
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: fault
// row: M12
// why: an atomic on a 64-bit counter at an offset of four bytes
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void k(char* p) {
  atomicAdd(reinterpret_cast<unsigned long long*>(p + 4), 1ull);  // @A
}
int main() {
  char* p;
  unsigned long long h = 0;
  CK(cudaMalloc(&p, 64));
  CK(cudaMemset(p, 0, 64));
  k<<<1, 32>>>(p);
  CK(cudaGetLastError());
  CK(cudaMemcpy(&h, p + 4, sizeof h, cudaMemcpyDeviceToHost));
  std::printf("%llu\n", h);
  CK(cudaFree(p));
}
