// expect: async-hazard
// SPDX-License-Identifier: Apache-2.0
// needs: sm_80
// tier: extra
// also-ok: race-global
// hw: silent
// why: the global source of a pending asynchronous copy is overwritten before the wait
#include <cstdio>
#include <cstdlib>
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

namespace cg = cooperative_groups;
__global__ void recycle(int* buf, int* out) {
  __shared__ int s[64];
  auto block = cg::this_thread_block();
  const int t = block.thread_rank();
  cg::memcpy_async(block, s, buf, sizeof s);  // @A
  buf[t] = -1;                                // @B
  cg::wait(block);
  out[t] = s[t];
}

int main() {
  int h[64], *buf, *out;
  for (int i = 0; i < 64; ++i) h[i] = i;
  CK(cudaMalloc(&buf, sizeof h));
  CK(cudaMalloc(&out, sizeof h));
  CK(cudaMemcpy(buf, h, sizeof h, cudaMemcpyHostToDevice));
  recycle<<<1, 64>>>(buf, out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  int bad = 0;
  for (int i = 0; i < 64; ++i) bad += h[i] != i;
  std::printf("wrong %d\n", bad);
  CK(cudaFree(buf));
  CK(cudaFree(out));
}
