// expect: cg-misuse
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: silent
// row: C2
// why: halves of each tile bring different sizes to a copy that a barrier tells the end of
#include <cstdio>
#include <cstdlib>
#include <cooperative_groups.h>
#include <cuda/barrier>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

#pragma nv_diag_suppress static_var_with_dynamic_init
namespace cg = cooperative_groups;
__global__ void load(const int* in, int* out) {
  __shared__ int s[64];
  __shared__ cuda::barrier<cuda::thread_scope_block> arrived;
  auto block = cg::this_thread_block();
  auto tile = cg::tiled_partition<32>(block);
  const int t = block.thread_rank();
  if (t == 0) init(&arrived, 64);
  s[t] = 0;
  block.sync();
  int* const mine = s + 32 * tile.meta_group_rank();
  cuda::memcpy_async(tile, mine, in, tile.thread_rank() < 16 ? 64 : 128, arrived);  // @A @B
  arrived.arrive_and_wait();
  out[t] = s[63 - t];
}

int main() {
  int h[256], *in, *out;
  for (int i = 0; i < 256; ++i) h[i] = i;
  CK(cudaMalloc(&in, sizeof h));
  CK(cudaMalloc(&out, sizeof h));
  CK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  CK(cudaMemset(out, 0, sizeof h));
  load<<<1, 64>>>(in, out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  std::printf("out[0] = %d\n", h[0]);
  CK(cudaFree(in));
  CK(cudaFree(out));
}
