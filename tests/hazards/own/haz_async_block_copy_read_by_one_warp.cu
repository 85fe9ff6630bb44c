// expect: async-hazard
// SPDX-License-Identifier: Apache-2.0
// needs: sm_80
// tier: extra
// also-ok: race-shared,uninit-shared
// hw: silent
// row: A1
// why: the block copies together, and only one warp waits for it; the other reads its part at once
#include <cstdio>
#include <cstdlib>
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

namespace cg = cooperative_groups;
__global__ void k(const int* in, int* out) {
  __shared__ int s[64];
  auto block = cg::this_thread_block();
  auto warp = cg::tiled_partition<32>(block);
  cg::memcpy_async(warp, s + 32 * warp.meta_group_rank(), in + 32 * warp.meta_group_rank(), 32 * sizeof(int));  // @A
  if (warp.meta_group_rank() == 0) cg::wait(warp);
  out[threadIdx.x] = s[threadIdx.x];  // @B
  cg::wait(warp);
}
int main() {
  int h[64] = {}, *in, *out;
  CK(cudaMalloc(&in, sizeof h));
  CK(cudaMalloc(&out, sizeof h));
  CK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  k<<<1, 64>>>(in, out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  std::printf("%d\n", h[1]);
  CK(cudaFree(in));
  CK(cudaFree(out));
}
