// expect: deadlock
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: core
// also-ok: livelock
// hw: hang
// row: S9
// why: two blocks take two spin locks in opposite order, each holding its first when it asks for its second
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void transfer(int* locks, int* holding) {
  int* first = locks + blockIdx.x;
  int* second = locks + (1 - blockIdx.x);
  while (atomicCAS(first, 0, 1) != 0) {
  }
  atomicAdd(holding, 1);
  while (atomicAdd(holding, 0) < 2) {  // makes the unlucky moment certain
  }
  while (atomicCAS(second, 0, 1) != 0) {  // @A
  }
  atomicExch(second, 0);
  atomicExch(first, 0);
}

int main() {
  int* words;
  CK(cudaMalloc(&words, 3 * sizeof(int)));
  CK(cudaMemset(words, 0, 3 * sizeof(int)));
  transfer<<<2, 1>>>(words, words + 2);
  CK(cudaGetLastError());
  CK(cudaDeviceSynchronize());
  std::printf("finished\n");
  CK(cudaFree(words));
}
