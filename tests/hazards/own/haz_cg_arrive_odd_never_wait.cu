// expect: cg-misuse
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// also-ok: race-shared
// hw: silent
// row: C5
// why: the odd threads arrive and do not wait: each reads what its even neighbour has written, and nothing orders that
#include <cstdio>
#include <cstdlib>
#include <cooperative_groups.h>
#include <cuda/std/utility>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

namespace cg = cooperative_groups;
__global__ void dropped(int* out) {
  __shared__ int s[64];
  auto block = cg::this_thread_block();
  const int t = block.thread_rank();
  s[t] = t;
  auto token = block.barrier_arrive();  // @A
  if (t % 2 == 0) block.barrier_wait(cuda::std::move(token));
  out[t] = s[t ^ 1];  // @B
}

int main() {
  int h[64], *out;
  CK(cudaMalloc(&out, sizeof h));
  dropped<<<1, 64>>>(out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  std::printf("out[0] = %d\n", h[0]);
  CK(cudaFree(out));
}
