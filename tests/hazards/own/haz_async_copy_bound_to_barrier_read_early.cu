// expect: async-hazard
// SPDX-License-Identifier: Apache-2.0
// needs: sm_80
// tier: core
// hw: silent
// row: A1
// why: the copy tells a cuda::barrier when it is done, and the tile is read before anybody waits for that barrier
#include <cstdio>
#include <cstdlib>
#include <utility>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

#include <cooperative_groups.h>
#include <cuda/barrier>

#pragma nv_diag_suppress static_var_with_dynamic_init
namespace cg = cooperative_groups;
using Barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void scale(const float* in, float* out) {
  __shared__ float tile[64];
  __shared__ Barrier ready;
  auto block = cg::this_thread_block();
  if (block.thread_rank() == 0) init(&ready, block.size());
  block.sync();
  cuda::memcpy_async(block, tile, in, sizeof tile, ready);  // @A
  auto token = ready.arrive();
  const float v = 2 * tile[block.thread_rank()];  // @B
  ready.wait(std::move(token));
  out[block.thread_rank()] = v;
}

int main() {
  float h[64], *in, *out;
  for (int i = 0; i < 64; ++i) h[i] = float(i);
  CK(cudaMalloc(&in, sizeof h));
  CK(cudaMalloc(&out, sizeof h));
  CK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  scale<<<1, 64>>>(in, out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  std::printf("h[3] = %g\n", h[3]);
  CK(cudaFree(in));
  CK(cudaFree(out));
}
