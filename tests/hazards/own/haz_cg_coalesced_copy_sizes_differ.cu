// expect: cg-misuse
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: silent
// row: C2
// why: the members of a labelled group bring two sizes to a copy that they share
#include <cstdio>
#include <cstdlib>
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

namespace cg = cooperative_groups;
__global__ void load(const int* in, int* out) {
  __shared__ int s[192];
  const int t = threadIdx.x;
  const auto third = cg::labeled_partition(cg::tiled_partition<32>(cg::this_thread_block()), t % 3);
  int* const mine = s + t / 32 * 96 + third.meta_group_rank() * 32;
  cg::memcpy_async(third, mine, in, third.thread_rank() < 4 ? 64 : 128);  // @A @B
  cg::wait(third);
  out[t] = mine[t % 16];
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
