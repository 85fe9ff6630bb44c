// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_90
// tier: extra
// hw: ok
// row: R10
// why: bins are spread over the blocks of a cluster and counted by remote atomics between two cluster barriers
#include <cstdio>
#include <cstdlib>
#include <cooperative_groups.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

namespace cg = cooperative_groups;
__global__ void __cluster_dims__(2, 1, 1) histogram(const int* in, int* out) {
  __shared__ int bins[8];
  auto cluster = cg::this_cluster();
  if (threadIdx.x < 8) bins[threadIdx.x] = 0;
  cluster.sync();
  const int bin = in[blockIdx.x * 64 + threadIdx.x] % 16;
  atomicAdd(&cluster.map_shared_rank(bins, bin / 8)[bin % 8], 1);
  cluster.sync();
  if (threadIdx.x < 8) out[8 * cluster.block_rank() + threadIdx.x] = bins[threadIdx.x];
}

int main() {
  int h[128], r[16], want[16] = {}, *in, *out, bad = 0;
  for (int i = 0; i < 128; ++i) ++want[(h[i] = i * i) % 16];
  CK(cudaMalloc(&in, sizeof h));
  CK(cudaMalloc(&out, sizeof r));
  CK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  histogram<<<2, 64>>>(in, out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(r, out, sizeof r, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 16; ++i) bad += r[i] != want[i];
  CK(cudaFree(in));
  CK(cudaFree(out));
  std::printf("%s\n", bad ? "FAIL" : "PASS");
  return bad != 0;
}
