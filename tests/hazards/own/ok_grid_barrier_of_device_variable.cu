// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: core
// hw: ok
// row: S6
// why: blocks of a cooperative launch count themselves in a __device__ variable and look at it through a volatile pointer
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__device__ unsigned arrived;

__device__ void meet(unsigned round) {
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(&arrived, 1u);
    while (*static_cast<volatile unsigned*>(&arrived) < round * gridDim.x) {
    }
    __threadfence();
  }
  __syncthreads();
}

__global__ void shift(int* a, int* b, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = i;
  meet(1);
  b[i] = a[(i + 32) % n];
  meet(2);
  a[i] = b[(i + 32) % n];
}

int main() {
  int h[128], n = 128, bad = 0, *a, *b;
  CK(cudaMalloc(&a, sizeof h));
  CK(cudaMalloc(&b, sizeof h));
  void* arguments[] = {&a, &b, &n};
  CK(cudaLaunchCooperativeKernel(shift, dim3(4), dim3(32), arguments));
  CK(cudaMemcpy(h, a, sizeof h, cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; ++i) bad += h[i] != (i + 64) % n;
  CK(cudaFree(a));
  CK(cudaFree(b));
  std::printf("%s\n", bad ? "FAIL" : "PASS");
  return bad != 0;
}
