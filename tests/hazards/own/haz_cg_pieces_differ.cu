// expect: cg-misuse
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: silent
// row: C3
// why: the warps of a block ask tiled_partition() for pieces of different sizes
#include <cstdio>
#include <cstdlib>
#include <cooperative_groups.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

namespace cg = cooperative_groups;
__global__ void cut(const int* in, int* out) {
  auto block = cg::this_thread_block();
  const int t = block.thread_rank();
  cg::thread_group piece = cg::tiled_partition(block, t < 32 ? 4 : 8);  // @A @B
  out[t] = in[t] + int(piece.thread_rank());
}

int main() {
  int h[256], *in, *out;
  for (int i = 0; i < 256; ++i) h[i] = i;
  CK(cudaMalloc(&in, sizeof h));
  CK(cudaMalloc(&out, sizeof h));
  CK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  CK(cudaMemset(out, 0, sizeof h));
  cut<<<1, 64>>>(in, out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  std::printf("out[0] = %d\n", h[0]);
  CK(cudaFree(in));
  CK(cudaFree(out));
}
