// expect: cg-misuse
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// also-ok: race-shared
// hw: silent
// row: C5
// why: the token of the block's first barrier is waited for again in the second round
#include <cstdio>
#include <cstdlib>
#include <cooperative_groups.h>
#include <utility>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

namespace cg = cooperative_groups;
__global__ void rounds(int* out) {
  __shared__ int s[2][64];
  auto block = cg::this_thread_block();
  const int t = block.thread_rank();
  int v = t;
  auto token = block.barrier_arrive();
  for (int i = 0; i < 2; ++i) {
    s[i][t] = v;
    block.barrier_wait(std::move(token));  // @A
    v = s[i][t] + 1;
  }
  out[t] = v;
}

int main() {
  int h[64], *out;
  CK(cudaMalloc(&out, sizeof h));
  rounds<<<1, 64>>>(out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  std::printf("out[0] = %d\n", h[0]);
  CK(cudaFree(out));
}
