// expect: cg-misuse
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: silent
// row: S10
// why: a second arrival at the block's barrier while the first is still waiting to be waited for
#include <cstdio>
#include <cstdlib>
#include <cooperative_groups.h>
#include <utility>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

namespace cg = cooperative_groups;
__global__ void overlapping(int* out) {
  __shared__ int s[64];
  auto block = cg::this_thread_block();
  const int t = block.thread_rank();
  s[t] = t;
  auto first = block.barrier_arrive();   // @A
  auto second = block.barrier_arrive();  // @B
  block.barrier_wait(std::move(first));
  block.barrier_wait(std::move(second));
  out[t] = s[63 - t];
}

int main() {
  int h[64], *out;
  CK(cudaMalloc(&out, sizeof h));
  overlapping<<<1, 64>>>(out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  std::printf("out[0] = %d\n", h[0]);
  CK(cudaFree(out));
}
