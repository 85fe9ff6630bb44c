// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: ok
// row: L2
// why: a cooperative launch with exactly as many blocks as the device holds
#include <cstdio>
#include <cstdlib>
#include <cooperative_groups.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void k(int* a, int* b) {
  extern __shared__ int pad[];
  auto grid = cooperative_groups::this_grid();
  pad[threadIdx.x] = int(grid.thread_rank());
  a[grid.thread_rank()] = pad[threadIdx.x];
  grid.sync();
  b[grid.thread_rank()] = a[grid.size() - 1 - grid.thread_rank()];
}

int main() {
  cudaDeviceProp prop;
  CK(cudaGetDeviceProperties(&prop, 0));
  const int smem = int(prop.sharedMemPerBlockOptin);  // one block per multiprocessor
  CK(cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, smem));
  int per_sm = 0;
  CK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_sm, k, 4, smem));
  const int blocks = per_sm * prop.multiProcessorCount, n = 4 * blocks;
  int *a, *b, last[2] = {-1, -1};
  CK(cudaMalloc(&a, n * sizeof(int)));
  CK(cudaMalloc(&b, n * sizeof(int)));
  void* args[] = {&a, &b};
  CK(cudaLaunchCooperativeKernel(k, dim3(blocks), dim3(4), args, smem, nullptr));
  CK(cudaMemcpy(last, b, sizeof(int), cudaMemcpyDeviceToHost));
  CK(cudaMemcpy(last + 1, b + n - 1, sizeof(int), cudaMemcpyDeviceToHost));
  CK(cudaFree(a));
  CK(cudaFree(b));
  const bool bad = last[0] != n - 1 || last[1] != 0;
  std::printf("%s\n", bad ? "FAIL" : "PASS");
  return bad;
}
