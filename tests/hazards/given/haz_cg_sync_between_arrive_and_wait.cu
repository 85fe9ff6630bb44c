// expect: cg-misuse
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: core
// hw: silent
// why: a second collective on the same group is issued while its split barrier is still open
#include <cstdio>
#include <cstdlib>
#include <cooperative_groups.h>
#include <utility>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

namespace cg = cooperative_groups;
__global__ void nested(int* out) {
  __shared__ int s[64];
  auto block = cg::this_thread_block();
  const int t = block.thread_rank();
  s[t] = t;
  auto token = block.barrier_arrive();
  block.sync();                          // @A  not allowed before the wait
  block.barrier_wait(std::move(token));  // @B
  out[t] = s[63 - t];
}

int main() {
  int h[64], *out;
  CK(cudaMalloc(&out, sizeof h));
  nested<<<1, 64>>>(out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  std::printf("out[0] = %d\n", h[0]);
  CK(cudaFree(out));
}
