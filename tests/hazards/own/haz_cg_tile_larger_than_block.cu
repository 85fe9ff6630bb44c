// expect: cg-misuse
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: may-hang
// row: C7
// why: a tile of 128 threads synchronises in a block of 64
#include <cstdio>
#include <cstdlib>
#include <cooperative_groups.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

namespace cg = cooperative_groups;
__global__ void wide(const int* in, int* out) {
  __shared__ int s[64];
  auto tile = cg::tiled_partition<128>(cg::this_thread_block());
  const int t = int(tile.thread_rank());
  s[t] = in[t];
  tile.sync();  // @A
  out[t] = s[63 - t];
}

int main() {
  int h[256], *in, *out;
  for (int i = 0; i < 256; ++i) h[i] = i;
  CK(cudaMalloc(&in, sizeof h));
  CK(cudaMalloc(&out, sizeof h));
  CK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  CK(cudaMemset(out, 0, sizeof h));
  wide<<<1, 64>>>(in, out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  std::printf("out[0] = %d\n", h[0]);
  CK(cudaFree(in));
  CK(cudaFree(out));
}
