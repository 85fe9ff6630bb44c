// SPDX-License-Identifier: Apache-2.0
//
// A sum by cooperative groups: a reduction in each tile, and an atomic for the sums of the tiles.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include <cstdio>
namespace cg = cooperative_groups;

__global__ void sum(const float* in, float* out, int n) {
  auto block = cg::this_thread_block();
  auto tile = cg::tiled_partition<32>(block);
  float v = 0;
  for (int i = cg::this_grid().thread_rank(); i < n; i += cg::this_grid().size()) v += in[i];
  v = cg::reduce(tile, v, cg::plus<float>());
  if (tile.thread_rank() == 0) atomicAdd(out, v);
}

int main() {
  float values[100], *in, *out, result = 0;
  for (float& value : values) value = 2;
  cudaMalloc(&in, sizeof values);
  cudaMalloc(&out, sizeof result);
  cudaMemcpy(in, values, sizeof values, cudaMemcpyHostToDevice);
  cudaMemset(out, 0, sizeof result);
  sum<<<2, 64>>>(in, out, 100);
  const cudaError_t error = cudaMemcpy(&result, out, sizeof result, cudaMemcpyDeviceToHost);
  std::printf("%s: %g\n", cudaGetErrorString(error), result);
}
