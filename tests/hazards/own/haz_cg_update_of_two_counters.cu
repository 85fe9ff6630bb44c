// expect: cg-misuse
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: silent
// row: C2
// why: odd and even ranks of a coalesced group draw slots from different counters
#include <cstdio>
#include <cstdlib>
#include <cooperative_groups.h>
#include <cooperative_groups/scan.h>
#include <cuda/atomic>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

namespace cg = cooperative_groups;
using Counter = cuda::atomic<int, cuda::thread_scope_block>;

__global__ void load(const int* in, int* out) {
  __shared__ Counter counters[2];
  const int t = threadIdx.x;
  if (t < 2) counters[t].store(0);
  __syncthreads();
  if (in[t] % 3 == 0) {
    const auto hits = cg::coalesced_threads();
    Counter& counter = counters[hits.thread_rank() % 2];
    out[cg::exclusive_scan_update(hits, counter, 1)] = t;  // @A @B
  }
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
