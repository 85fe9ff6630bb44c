// expect: async-hazard
// SPDX-License-Identifier: Apache-2.0
// needs: sm_80
// tier: extra
// also-ok: race-shared,uninit-shared
// hw: silent
// row: A1
// why: the tile is read behind a __syncthreads, which does not wait for the copy
#include <cstdio>
#include <cstdlib>
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

namespace cg = cooperative_groups;
__global__ void load(const int* in, int* out) {
  __shared__ int s[64];
  auto block = cg::this_thread_block();
  const int t = block.thread_rank();
  cg::memcpy_async(block, s, in, sizeof s);  // @A
  __syncthreads();
  const int v = s[63 - t];                   // @B
  cg::wait(block);
  out[t] = v;
}

int main() {
  int h[64], *in, *out, bad = 0;
  for (int i = 0; i < 64; ++i) h[i] = i;
  CK(cudaMalloc(&in, sizeof h));
  CK(cudaMalloc(&out, sizeof h));
  CK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  load<<<1, 64>>>(in, out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 64; ++i) bad += h[i] != 63 - i;
  std::printf("wrong %d\n", bad);
  CK(cudaFree(in));
  CK(cudaFree(out));
}
