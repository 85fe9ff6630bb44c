// expect: deadlock
// SPDX-License-Identifier: Apache-2.0
// needs: sm_90
// tier: extra
// also-ok: livelock
// hw: hang
// row: S7
// why: a block holds a lock while it waits for its cluster; the peer wants the lock first
#include <cstdio>
#include <cstdlib>
#include <cooperative_groups.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

namespace cg = cooperative_groups;
__device__ int lock_word;
struct Lock {
  __device__ void take() {
    while (atomicCAS(&lock_word, 0, 1) != 0) {}  // @A
    __threadfence();
  }
  __device__ void give() {
    __threadfence();
    atomicExch(&lock_word, 0);
  }
};
__global__ void __cluster_dims__(2, 1, 1) update(int* total) {
  auto cluster = cg::this_cluster();
  Lock lock;
  if (threadIdx.x == 0) {
    lock.take();
    *total += cluster.block_rank() + 1;
  }
  cluster.sync();  // @B
  if (threadIdx.x == 0) lock.give();
}

int main() {
  int h = 0, *d;
  CK(cudaMalloc(&d, sizeof h));
  CK(cudaMemset(d, 0, sizeof h));
  update<<<2, 32>>>(d);
  CK(cudaMemcpy(&h, d, sizeof h, cudaMemcpyDeviceToHost));
  std::puts(h == 3 ? "PASS" : "FAIL");
  CK(cudaFree(d));
}
