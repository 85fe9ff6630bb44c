// expect: oob-index
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: silent
// row: M3
// why: with a halo of one, the last column of a row is the first of the next row, which is in the tile as well
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

constexpr int kSide = 16;

__global__ void difference(const float* in, float* out, int step) {
  __shared__ float tile[kSide + 1][kSide + 1];
  const int x = threadIdx.x;
  const int y = threadIdx.y;
  tile[y][x] = in[y * kSide + x];
  if (x == 0) tile[y][kSide] = tile[kSide][y] = 0;
  if (x == 0 && y == 0) tile[kSide][kSide] = 0;
  __syncthreads();
  out[y * kSide + x] = tile[y][x + step] - tile[y][x];  // @A
}

int main() {
  float h[kSide * kSide], *in, *out;
  for (int i = 0; i < kSide * kSide; ++i) h[i] = static_cast<float>(i);
  CK(cudaMalloc(&in, sizeof h));
  CK(cudaMalloc(&out, sizeof h));
  CK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  difference<<<1, dim3(kSide, kSide)>>>(in, out, 2);
  CK(cudaGetLastError());
  CK(cudaDeviceSynchronize());
  std::printf("finished\n");
  CK(cudaFree(in));
  CK(cudaFree(out));
}
