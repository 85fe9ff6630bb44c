// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: core
// hw: ok
// why: warp-aggregated append: the group is formed from whichever lanes happen to be in the branch
#include <cstdio>
#include <cstdlib>
#include <cooperative_groups.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

namespace cg = cooperative_groups;
__global__ void keep_odd(const int* in, int* out, int* count) {
  const int v = in[blockIdx.x * blockDim.x + threadIdx.x];
  if (v % 2) {
    auto g = cg::coalesced_threads();
    int base = 0;
    if (g.thread_rank() == 0) base = atomicAdd(count, int(g.size()));
    out[g.shfl(base, 0) + g.thread_rank()] = v;
  }
}

int main() {
  int h[256], r[256], n = 0, *in, *out, *count;
  long long want = 0, got = 0;
  int odd = 0;
  for (int i = 0; i < 256; ++i) {
    h[i] = i * 7;
    if (h[i] % 2) want += h[i], ++odd;
  }
  CK(cudaMalloc(&in, sizeof h));
  CK(cudaMalloc(&out, sizeof h));
  CK(cudaMalloc(&count, sizeof(int)));
  CK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  CK(cudaMemset(out, 0, sizeof h));
  CK(cudaMemset(count, 0, sizeof(int)));
  keep_odd<<<4, 64>>>(in, out, count);
  CK(cudaGetLastError());
  CK(cudaMemcpy(r, out, sizeof r, cudaMemcpyDeviceToHost));
  CK(cudaMemcpy(&n, count, sizeof(int), cudaMemcpyDeviceToHost));
  for (int i = 0; i < n && i < 256; ++i) got += r[i];
  CK(cudaFree(in));
  CK(cudaFree(out));
  CK(cudaFree(count));
  const bool bad = n != odd || got != want;
  std::printf("%s\n", bad ? "FAIL" : "PASS");
  return bad;
}
