// expect: cg-misuse
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: core
// also-ok: bad-mask,deadlock
// hw: may-hang
// row: C6
// why: a helper gets the coalesced group by reference after some of its members have gone another way
#include <cstdio>
#include <cstdlib>
#include <cooperative_groups.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

namespace cg = cooperative_groups;

__device__ int leader_value(const cg::coalesced_group& group, int value) {
  return group.shfl(value, 0);  // @A
}

__global__ void gather(const int* keys, int* out) {
  const int i = threadIdx.x;
  int v = keys[i];
  if (v >= 0) {
    cg::coalesced_group active = cg::coalesced_threads();
    if (v % 4 != 0) v = leader_value(active, v);
    active.sync();  // @B
  }
  out[i] = v;
}

int main() {
  int h[32], *keys, *out;
  for (int i = 0; i < 32; ++i) h[i] = i - 6;
  CK(cudaMalloc(&keys, sizeof h));
  CK(cudaMalloc(&out, sizeof h));
  CK(cudaMemcpy(keys, h, sizeof h, cudaMemcpyHostToDevice));
  gather<<<1, 32>>>(keys, out);
  CK(cudaGetLastError());
  std::printf("synchronise: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
