// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: ok
// row: M6
// why: a buffer is filled by a memset, a copy and a kernel, each its own part, before anything is read
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void fill(int* p) { p[threadIdx.x] = 3; }
__global__ void sum(const int* p, int* out) { atomicAdd(out, p[threadIdx.x]); }

int main() {
  int h[32], r = 0, *p, *out;
  for (int& each : h) each = 2;
  CK(cudaMalloc(&p, 96 * sizeof(int)));
  CK(cudaMalloc(&out, sizeof(int)));
  CK(cudaMemset(p, 0, 32 * sizeof(int)));
  CK(cudaMemset(out, 0, sizeof(int)));
  CK(cudaMemcpy(p + 32, h, sizeof h, cudaMemcpyHostToDevice));
  fill<<<1, 32>>>(p + 64);
  sum<<<1, 96>>>(p, out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(&r, out, sizeof(int), cudaMemcpyDeviceToHost));
  CK(cudaFree(p));
  CK(cudaFree(out));
  std::printf("%s\n", r != 160 ? "FAIL" : "PASS");
  return r != 160;
}
