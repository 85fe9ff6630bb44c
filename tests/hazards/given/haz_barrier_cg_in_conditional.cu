// expect: barrier-divergence
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// also-ok: race-shared,deadlock
// hw: may-hang
// why: block.sync() inside a branch taken by even threads only; the odd ones already wait at the next block.sync()
#include <cstdio>
#include <cstdlib>
#include <cooperative_groups.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

namespace cg = cooperative_groups;
__global__ void even_only(int* out) {
  auto block = cg::this_thread_block();
  __shared__ int s[64];
  const int t = block.thread_rank();
  s[t] = t;
  int v = -t;
  if (t % 2 == 0) {
    block.sync();  // @A
    v = s[63 - t];
  }
  block.sync();    // @B
  out[t] = v;
}

int main() {
  int h[64], *out;
  CK(cudaMalloc(&out, sizeof h));
  even_only<<<1, 64>>>(out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  std::printf("out[0] = %d\n", h[0]);
  CK(cudaFree(out));
}
