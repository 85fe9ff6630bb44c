// expect: async-hazard
// SPDX-License-Identifier: Apache-2.0
// needs: sm_80
// tier: core
// also-ok: uninit-shared,race-shared
// hw: silent
// why: two stages are in flight and wait_prior<1> completes only the first, but the second is read
#include <cstdio>
#include <cstdlib>
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

namespace cg = cooperative_groups;
__global__ void two_stages(const int* in, int* out) {
  __shared__ int s[2][64];
  auto block = cg::this_thread_block();
  const int t = block.thread_rank();
  cg::memcpy_async(block, s[0], in, sizeof s[0]);
  cg::memcpy_async(block, s[1], in + 64, sizeof s[1]);  // @A
  cg::wait_prior<1>(block);
  out[t] = s[0][t] + s[1][t];                           // @B  needs wait_prior<0>
  cg::wait(block);
}

int main() {
  int h[128], *in, *out;
  for (int i = 0; i < 128; ++i) h[i] = i;
  CK(cudaMalloc(&in, sizeof h));
  CK(cudaMalloc(&out, 64 * sizeof(int)));
  CK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  two_stages<<<1, 64>>>(in, out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, out, 64 * sizeof(int), cudaMemcpyDeviceToHost));
  int bad = 0;
  for (int i = 0; i < 64; ++i) bad += h[i] != 2 * i + 64;
  std::printf("wrong %d\n", bad);
  CK(cudaFree(in));
  CK(cudaFree(out));
}
