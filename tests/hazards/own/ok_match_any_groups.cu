// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: ok
// row: K3
// why: lanes with equal keys find each other with __match_any_sync and then work under masks of their own
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void count(const int* keys, int* bins, int* rank) {
  const int key = keys[threadIdx.x], lane = threadIdx.x % 32;
  const unsigned peers = __match_any_sync(0xffffffffu, key);
  const int leader = __ffs(int(peers)) - 1;
  int base = 0;
  if (lane == leader) base = atomicAdd(&bins[key], __popc(peers));
  base = __shfl_sync(peers, base, leader);
  rank[threadIdx.x] = base + __popc(peers & ((1u << lane) - 1));
}

int main() {
  int h[64], r[64], *keys, *bins, *rank, bad = 0;
  for (int i = 0; i < 64; ++i) h[i] = i * i % 5;
  CK(cudaMalloc(&keys, sizeof h));
  CK(cudaMalloc(&rank, sizeof h));
  CK(cudaMalloc(&bins, 5 * sizeof(int)));
  CK(cudaMemcpy(keys, h, sizeof h, cudaMemcpyHostToDevice));
  CK(cudaMemset(bins, 0, 5 * sizeof(int)));
  count<<<1, 64>>>(keys, bins, rank);
  CK(cudaGetLastError());
  CK(cudaMemcpy(r, rank, sizeof r, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 64; ++i)
    for (int k = 0; k < i; ++k) bad += h[i] == h[k] && r[i] == r[k];
  CK(cudaFree(keys));
  CK(cudaFree(rank));
  CK(cudaFree(bins));
  std::printf("%s\n", bad ? "FAIL" : "PASS");
  return bad != 0;
}
