// expect: race-global
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: silent
// row: R7
// why: blocks share a scratch row because the index forgets the block
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void sort_pairs(const int* in, int* scratch, int* out) {
  const int t = threadIdx.x;
  scratch[t] = in[blockIdx.x * blockDim.x + t];  // @A
  __syncthreads();
  const int other = scratch[t ^ 1];  // @B
  const int mine = in[blockIdx.x * blockDim.x + t];
  out[blockIdx.x * blockDim.x + t] = t % 2 == 0 ? min(mine, other) : max(mine, other);
}

int main() {
  int h[96], *in, *scratch, *out;
  for (int i = 0; i < 96; ++i) h[i] = 96 - i;
  CK(cudaMalloc(&in, sizeof h));
  CK(cudaMalloc(&scratch, 32 * sizeof(int)));
  CK(cudaMalloc(&out, sizeof h));
  CK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  sort_pairs<<<3, 32>>>(in, scratch, out);
  CK(cudaDeviceSynchronize());
  std::printf("finished\n");
  CK(cudaFree(in));
  CK(cudaFree(scratch));
  CK(cudaFree(out));
}
