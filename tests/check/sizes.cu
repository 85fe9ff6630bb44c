// SPDX-License-Identifier: Apache-2.0
// A race between the first two warps of a block, in a launch that is much larger than it needs; with an argument, in
// clusters of two blocks.
#include <cstdio>

__global__ void exchange(int* out) {
  __shared__ int s[256];
  const unsigned t = threadIdx.x + blockDim.x * threadIdx.y;
  s[t] = static_cast<int>(t);
  if (t < 64) out[64 * blockIdx.x + t] = s[t ^ 32];
}

int main(int argc, char**) {
  constexpr int kBlocks = 40;
  int* out = nullptr;
  cudaMalloc(&out, 64 * kBlocks * sizeof *out);
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(kBlocks);
  config.blockDim = dim3(16, 16);
  cudaLaunchAttribute cluster[1];
  cluster[0].id = cudaLaunchAttributeClusterDimension;
  cluster[0].val.clusterDim.x = 2;
  cluster[0].val.clusterDim.y = 1;
  cluster[0].val.clusterDim.z = 1;
  config.attrs = cluster;
  config.numAttrs = argc > 1 ? 1 : 0;
  cudaLaunchKernelEx(&config, exchange, out);
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  cudaFree(out);
}
