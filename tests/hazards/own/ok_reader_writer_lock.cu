// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: ok
// row: R8
// why: a readers-writer lock of one word: readers add one, a writer swaps in a negative number
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__device__ void read_lock(int* lock) {
  for (;;) {
    const int now = atomicAdd(lock, 0);
    if (now >= 0 && atomicCAS(lock, now, now + 1) == now) break;
  }
  __threadfence();
}
__device__ void read_unlock(int* lock) {
  __threadfence();
  atomicSub(lock, 1);
}
__device__ void write_lock(int* lock) {
  while (atomicCAS(lock, 0, -1) != 0) {
  }
  __threadfence();
}
__device__ void write_unlock(int* lock) {
  __threadfence();
  atomicExch(lock, 0);
}
__global__ void k(int* lock, int* data, int* bad) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x % 2 == 0) {
    write_lock(lock);
    data[0] += 1;
    data[1] += 1;
    write_unlock(lock);
  } else {
    read_lock(lock);
    if (data[0] != data[1]) atomicAdd(bad, 1);
    read_unlock(lock);
  }
}
int main() {
  int *p, h[4];
  CK(cudaMalloc(&p, sizeof h));
  CK(cudaMemset(p, 0, sizeof h));
  k<<<8, 32>>>(p, p + 1, p + 3);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, p, sizeof h, cudaMemcpyDeviceToHost));
  CK(cudaFree(p));
  const bool good = h[1] == 4 && h[2] == 4 && h[3] == 0;
  std::printf("%s\n", good ? "PASS" : "FAIL");
  return !good;
}
