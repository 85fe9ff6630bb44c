// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: core
// hw: ok
// row: S6
// why: a grid barrier made by hand of a counter, fences and block barriers; all blocks fit on the device
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__device__ void grid_barrier(unsigned* arrived, unsigned goal) {
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(arrived, 1u);
    while (atomicAdd(arrived, 0u) < goal) {
    }
    __threadfence();
  }
  __syncthreads();
}
__global__ void rotate(int* a, int* b, int n, unsigned* arrived) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int round = 0; round < 4; ++round) {
    b[i] = a[(i + 40) % n];
    grid_barrier(arrived, (2 * round + 1) * gridDim.x);
    a[i] = b[i];
    grid_barrier(arrived, (2 * round + 2) * gridDim.x);
  }
}

int main() {
  const int n = 192;
  int h[n], *a, *b, bad = 0;
  unsigned* arrived;
  for (int i = 0; i < n; ++i) h[i] = i;
  CK(cudaMalloc(&a, sizeof h));
  CK(cudaMalloc(&b, sizeof h));
  CK(cudaMalloc(&arrived, sizeof(unsigned)));
  CK(cudaMemset(arrived, 0, sizeof(unsigned)));
  CK(cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice));
  rotate<<<3, 64>>>(a, b, n, arrived);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, a, sizeof h, cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; ++i) bad += h[i] != (i + 160) % n;
  CK(cudaFree(a));
  CK(cudaFree(b));
  CK(cudaFree(arrived));
  std::printf("%s\n", bad ? "FAIL" : "PASS");
  return bad != 0;
}
