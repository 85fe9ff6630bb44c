// expect: uninit-global
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: silent
// row: M6
// why: a kernel reads mapped pinned memory that the host has not filled
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void copy(const int* p, int* out) { out[threadIdx.x] = p[threadIdx.x] + 1; }  // @A
int main() {
  int *p, *out, h;
  CK(cudaMallocHost(&p, 64 * sizeof(int)));
  CK(cudaMalloc(&out, 64 * sizeof(int)));
  copy<<<1, 64>>>(p, out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(&h, out, sizeof h, cudaMemcpyDeviceToHost));
  std::printf("%d\n", h);
  CK(cudaFreeHost(p));
  CK(cudaFree(out));
}
