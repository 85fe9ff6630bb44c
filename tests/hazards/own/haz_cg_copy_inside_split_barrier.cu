// expect: cg-misuse
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: ok
// row: C4
// why: the block copies together between arriving at its barrier and waiting for it
#include <cstdio>
#include <cstdlib>
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <utility>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

namespace cg = cooperative_groups;
__global__ void load(const int* in, int* out) {
  __shared__ int s[64];
  const auto block = cg::this_thread_block();
  auto token = block.barrier_arrive();                // @A
  cg::memcpy_async(block, s, in, 64 * sizeof(int));  // @B
  block.barrier_wait(std::move(token));
  cg::wait(block);
  out[threadIdx.x] = s[63 - threadIdx.x];
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
