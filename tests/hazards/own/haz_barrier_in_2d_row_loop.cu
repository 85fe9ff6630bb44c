// expect: barrier-divergence
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: core
// hw: may-hang
// row: S2
// why: rows of a 2D block take strided turns, and the last rows make one turn less; the barrier in the loop meets the one behind it
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void smooth(const float* in, float* out, int height) {
  __shared__ float row[3][32];
  for (int y = threadIdx.y; y < height; y += blockDim.y) {
    row[threadIdx.y][threadIdx.x] = in[y * 32 + threadIdx.x];
    __syncthreads();  // @A
    out[y * 32 + threadIdx.x] = row[threadIdx.y][threadIdx.x];
  }
  __syncthreads();  // @B
  if (threadIdx.y == 0) out[threadIdx.x] += row[1][threadIdx.x];
}

int main() {
  float *in, *out;
  CK(cudaMalloc(&in, 7 * 32 * sizeof(float)));
  CK(cudaMalloc(&out, 7 * 32 * sizeof(float)));
  CK(cudaMemset(in, 0, 7 * 32 * sizeof(float)));
  smooth<<<1, dim3(32, 3)>>>(in, out, 7);
  CK(cudaGetLastError());
  std::printf("synchronise: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
