// expect: oob-global
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: silent
// row: M2
// why: an index from memory leads from one allocation into another live one
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void gather(const char* table, const long long* index, char* out) {
  out[threadIdx.x] = table[index[threadIdx.x]];  // @A
}

int main() {
  char *table, *other, *out;
  long long h[8], *index;
  CK(cudaMalloc(&table, 512));
  CK(cudaMalloc(&other, 512));
  CK(cudaMalloc(&index, sizeof h));
  CK(cudaMalloc(&out, 8));
  CK(cudaMemset(table, 1, 512));
  CK(cudaMemset(other, 2, 512));
  for (int i = 0; i < 8; ++i) h[i] = i < 7 ? i : other - table;
  CK(cudaMemcpy(index, h, sizeof h, cudaMemcpyHostToDevice));
  gather<<<1, 8>>>(table, index, out);
  CK(cudaGetLastError());
  CK(cudaDeviceSynchronize());
  std::printf("finished\n");
  CK(cudaFree(table));
  CK(cudaFree(other));
  CK(cudaFree(index));
  CK(cudaFree(out));
}
