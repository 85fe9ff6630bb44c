// SPDX-License-Identifier: Apache-2.0
// A transposition of a matrix in two ways: straight, whose stores touch a sector each, and through shared memory.
// What `warpfiber profile` counts shows why the second one still waits for the banks of shared memory.
#include <cstdio>
#include <vector>

constexpr int kTile = 32;

__global__ void transpose_naive(const float* in, float* out, int n) {
  const int x = blockIdx.x * kTile + threadIdx.x;
  const int y = blockIdx.y * kTile + threadIdx.y;
  out[x * n + y] = in[y * n + x];
}

__global__ void transpose_tiled(const float* in, float* out, int n) {
  __shared__ float tile[kTile][kTile];  // [kTile][kTile + 1] has no bank conflicts
  const int x = blockIdx.x * kTile + threadIdx.x;
  const int y = blockIdx.y * kTile + threadIdx.y;
  tile[threadIdx.y][threadIdx.x] = in[y * n + x];
  __syncthreads();
  const int to_x = blockIdx.y * kTile + threadIdx.x;
  const int to_y = blockIdx.x * kTile + threadIdx.y;
  out[to_y * n + to_x] = tile[threadIdx.x][threadIdx.y];
}

int main() {
  const int n = 128;
  std::vector<float> host(n * n);
  for (int i = 0; i < n * n; ++i) host[i] = static_cast<float>(i);
  float *in, *out;
  cudaMalloc(&in, n * n * sizeof(float));
  cudaMalloc(&out, n * n * sizeof(float));
  cudaMemcpy(in, host.data(), n * n * sizeof(float), cudaMemcpyHostToDevice);
  const dim3 blocks(n / kTile, n / kTile), threads(kTile, kTile);
  transpose_naive<<<blocks, threads>>>(in, out, n);
  transpose_tiled<<<blocks, threads>>>(in, out, n);
  cudaMemcpy(host.data(), out, n * n * sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("%g %g\n", host[1], host[n]);
  cudaFree(in);
  cudaFree(out);
  return 0;
}
