// expect: race-shared
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: core
// hw: silent
// row: R1
// why: each warp has bins of its own, but the bins are chosen by a wrong division and two warps share them
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

struct Bins {
  unsigned count[8];
};

__device__ void clear(Bins& bins, int lane) {
  if (lane < 8) bins.count[lane] = 0;
}

__device__ void put(Bins& bins, int value) {
  ++bins.count[value];  // @A @B
}

__global__ void count(const int* in, unsigned* out) {
  extern __shared__ Bins bins_of_warps[];
  const int warp = threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  clear(bins_of_warps[warp], lane);
  __syncthreads();
  if (lane == 0) {
    for (int i = 0; i < 32; ++i) put(bins_of_warps[threadIdx.x / 64], in[warp * 32 + i] % 8);
  }
  __syncthreads();
  if (threadIdx.x < 8) {
    unsigned sum = 0;
    for (int w = 0; w < 4; ++w) sum += bins_of_warps[w].count[threadIdx.x];
    out[threadIdx.x] = sum;
  }
}

int main() {
  int h[128], *in;
  unsigned r[8], *out;
  for (int i = 0; i < 128; ++i) h[i] = i * 7;
  CK(cudaMalloc(&in, sizeof h));
  CK(cudaMalloc(&out, sizeof r));
  CK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  count<<<1, 128, 4 * sizeof(Bins)>>>(in, out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(r, out, sizeof r, cudaMemcpyDeviceToHost));
  std::printf("bin 0: %u\n", r[0]);
  CK(cudaFree(in));
  CK(cudaFree(out));
}
