// expect: oob-global
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// also-ok: race-global
// hw: fault
// row: M15
// why: a kernel casts const away and stores into __constant__ memory
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__constant__ int table[8] = {1, 2, 3, 4, 5, 6, 7, 8};
__global__ void change(int* out, int i) {
  int* p = i < 8 ? const_cast<int*>(&table[i]) : out;
  *p = 9;  // @A
  *out = table[0];
}

int main() {
  int* out;
  CK(cudaMalloc(&out, sizeof(int)));
  change<<<1, 1>>>(out, 3);
  CK(cudaGetLastError());
  CK(cudaDeviceSynchronize());
  std::printf("finished\n");
  CK(cudaFree(out));
}
