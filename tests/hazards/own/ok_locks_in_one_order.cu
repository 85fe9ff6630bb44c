// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: ok
// row: S9
// why: every thread moves a value between two accounts and takes the lock of the lower account first
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__device__ void take(int* lock) {
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  __threadfence();
}
__device__ void give_back(int* lock) {
  __threadfence();
  atomicExch(lock, 0);
}
__global__ void transfer(int* locks, int* money) {
  const int from = (blockIdx.x + threadIdx.x) % 4, to = (from + 1 + threadIdx.x % 3) % 4;
  take(&locks[min(from, to)]);
  take(&locks[max(from, to)]);
  money[from] -= 1;
  money[to] += 1;
  give_back(&locks[max(from, to)]);
  give_back(&locks[min(from, to)]);
}

int main() {
  int h[4] = {100, 100, 100, 100}, *locks, *money;
  CK(cudaMalloc(&locks, sizeof h));
  CK(cudaMalloc(&money, sizeof h));
  CK(cudaMemset(locks, 0, sizeof h));
  CK(cudaMemcpy(money, h, sizeof h, cudaMemcpyHostToDevice));
  transfer<<<3, 16>>>(locks, money);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, money, sizeof h, cudaMemcpyDeviceToHost));
  const int sum = h[0] + h[1] + h[2] + h[3];
  CK(cudaFree(locks));
  CK(cudaFree(money));
  std::printf("%s\n", sum != 400 ? "FAIL" : "PASS");
  return sum != 400;
}
