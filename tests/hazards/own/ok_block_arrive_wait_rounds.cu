// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: ok
// row: C5
// why: split block barriers in a loop, a fresh token each round, private work in between
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
  for (int i = 0; i < 4; ++i) {
    s[i % 2][t] = v;
    auto token = block.barrier_arrive();
    const int own = i * i;
    block.barrier_wait(std::move(token));
    v = s[i % 2][(t + 1) % 64] + own;
  }
  out[t] = v;
}

int main() {
  int h[64], *out, bad = 0;
  CK(cudaMalloc(&out, sizeof h));
  rounds<<<1, 64>>>(out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 64; ++i) bad += h[i] != (i + 4) % 64 + 14;
  CK(cudaFree(out));
  std::printf("%s\n", bad ? "FAIL" : "PASS");
  return bad != 0;
}
