// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: ok
// row: R12
// why: two ordinary streams with no event between them; the default stream's kernel in the middle orders them
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void set(int* p) { p[threadIdx.x] = threadIdx.x; }
__global__ void twice(int* p) { p[threadIdx.x] *= 2; }
__global__ void flip(const int* p, int* q) { q[threadIdx.x] = p[63 - threadIdx.x]; }

int main() {
  int *p, *q, h[64], bad = 0;
  cudaStream_t a, b;
  CK(cudaStreamCreate(&a));
  CK(cudaStreamCreate(&b));
  CK(cudaMalloc(&p, sizeof h));
  CK(cudaMalloc(&q, sizeof h));
  set<<<1, 64, 0, a>>>(p);
  twice<<<1, 64>>>(p);
  flip<<<1, 64, 0, b>>>(p, q);
  CK(cudaMemcpy(h, q, sizeof h, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 64; ++i) bad += h[i] != 2 * (63 - i);
  CK(cudaFree(p));
  CK(cudaFree(q));
  CK(cudaStreamDestroy(a));
  CK(cudaStreamDestroy(b));
  std::printf("%s\n", bad ? "FAIL" : "PASS");
  return bad != 0;
}
