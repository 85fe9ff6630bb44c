// expect: cg-misuse
// SPDX-License-Identifier: Apache-2.0
// needs: sm_90
// tier: extra
// also-ok: race-dsmem,deadlock
// hw: may-hang
// row: C4
// why: barrier_wait of a cluster that no barrier_arrive precedes
#include <cstdio>
#include <cstdlib>
#include <cooperative_groups.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

namespace cg = cooperative_groups;
__global__ void __cluster_dims__(2, 1, 1) unpaired(int* out) {
  auto cluster = cg::this_cluster();
  cluster.barrier_wait();  // @A
  out[blockIdx.x] = 1;
}

int main() {
  int h[2], *out;
  CK(cudaMalloc(&out, sizeof h));
  unpaired<<<2, 32>>>(out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  std::printf("out[0] = %d\n", h[0]);
  CK(cudaFree(out));
}
