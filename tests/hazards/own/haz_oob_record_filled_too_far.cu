// expect: oob-global
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: core
// hw: silent
// row: M2
// why: the records are 12 bytes apart and are filled with 16: the last one runs over the end, the others into the next
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void fill(char* records) {
  __builtin_memset(records + threadIdx.x * 12, static_cast<int>(threadIdx.x), 16);  // @A
}

int main() {
  char* records;
  CK(cudaMalloc(&records, 32 * 12));
  fill<<<1, 32>>>(records);
  CK(cudaGetLastError());
  CK(cudaDeviceSynchronize());
  std::printf("finished\n");
  CK(cudaFree(records));
}
