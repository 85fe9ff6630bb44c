// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: ok
// row: C5
// why: a tile of all threads of the block synchronises between the arrival and the wait of the block
#include <cstdio>
#include <cstdlib>
#include <cooperative_groups.h>
#include <utility>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

namespace cg = cooperative_groups;
__global__ void rounds(const int* in, int* out) {
  __shared__ int a[64], b[64];
  auto block = cg::this_thread_block();
  auto tile = cg::tiled_partition<64>(block);
  const int t = int(block.thread_rank());
  a[t] = in[t];
  auto token = block.barrier_arrive();
  b[t] = in[64 + t];
  tile.sync();
  const int other = b[63 - t];
  const int anywhere = tile.any(other == 64);
  block.barrier_wait(std::move(token));
  out[t] = a[63 - t] + other + anywhere;
}

int main() {
  int h[256], *in, *out;
  for (int i = 0; i < 256; ++i) h[i] = i;
  CK(cudaMalloc(&in, sizeof h));
  CK(cudaMalloc(&out, sizeof h));
  CK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  CK(cudaMemset(out, 0, sizeof h));
  rounds<<<1, 64>>>(in, out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  bool right = true;
  for (int t = 0; t < 64; ++t) right = right && h[t] == 63 - t + 127 - t + 1;
  std::printf("%s\n", right ? "PASS" : "FAIL");
  CK(cudaFree(in));
  CK(cudaFree(out));
  return right ? 0 : 1;
}
