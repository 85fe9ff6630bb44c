// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_90
// tier: core
// hw: ok
// row: R10
// why: dynamic shared memory of four blocks, read by all of them through pointers of a helper class
#include <cstdio>
#include <cstdlib>
#include <cooperative_groups.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

namespace cg = cooperative_groups;

template <typename T>
class Spread {
 public:
  __device__ Spread(cg::cluster_group& cluster, T* mine) : cluster_(cluster), mine_(mine) {}
  __device__ T& at(unsigned i) { return cluster_.map_shared_rank(mine_, i / blockDim.x)[i % blockDim.x]; }

 private:
  cg::cluster_group& cluster_;
  T* mine_;
};

__global__ void __cluster_dims__(4, 1, 1) reverse(const int* in, int* out) {
  extern __shared__ int mine[];
  cg::cluster_group cluster = cg::this_cluster();
  const unsigned n = cluster.num_blocks() * blockDim.x;
  const unsigned i = cluster.block_rank() * blockDim.x + threadIdx.x;
  mine[threadIdx.x] = in[i];
  cluster.sync();
  Spread<int> all(cluster, mine);
  const int v = all.at(n - 1 - i);
  cluster.sync();
  all.at(n - 1 - i) = v + 1;
  cluster.sync();
  out[i] = mine[threadIdx.x];
}

int main() {
  int h[128], *in, *out, bad = 0;
  for (int i = 0; i < 128; ++i) h[i] = 3 * i;
  CK(cudaMalloc(&in, sizeof h));
  CK(cudaMalloc(&out, sizeof h));
  CK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  reverse<<<4, 32, 32 * sizeof(int)>>>(in, out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 128; ++i) bad += h[i] != 3 * i + 1;
  CK(cudaFree(in));
  CK(cudaFree(out));
  std::printf("%s\n", bad ? "FAIL" : "PASS");
  return bad != 0;
}
