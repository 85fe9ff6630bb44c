// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: ok
// row: R6
// why: warps of one block pass values through global memory; __syncthreads orders global memory too, within the block
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void reverse(int* a, int* scratch) {
  const int t = threadIdx.x;
  int* own = scratch + blockIdx.x * 128;
  for (int round = 0; round < 3; ++round) {
    own[t] = a[blockIdx.x * 128 + t];
    __syncthreads();
    a[blockIdx.x * 128 + t] = own[127 - t];
    __syncthreads();
  }
}

int main() {
  int h[256], *a, *scratch, bad = 0;
  for (int i = 0; i < 256; ++i) h[i] = i;
  CK(cudaMalloc(&a, sizeof h));
  CK(cudaMalloc(&scratch, sizeof h));
  CK(cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice));
  reverse<<<2, 128>>>(a, scratch);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, a, sizeof h, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 256; ++i) bad += h[i] != i / 128 * 128 + 127 - i % 128;
  CK(cudaFree(a));
  CK(cudaFree(scratch));
  std::printf("%s\n", bad ? "FAIL" : "PASS");
  return bad != 0;
}
