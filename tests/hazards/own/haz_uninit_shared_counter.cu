// expect: uninit-shared
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: core
// hw: silent
// row: M7
// why: a counter in shared memory is added to by all and never set to zero
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void count(const int* in, int* out) {
  __shared__ int positive;
  if (in[threadIdx.x] > 0) atomicAdd(&positive, 1);  // @A
  __syncthreads();
  if (threadIdx.x == 0) *out = positive;
}

int main() {
  int h[64], *in, *out;
  for (int i = 0; i < 64; ++i) h[i] = i % 5 - 2;
  CK(cudaMalloc(&in, sizeof h));
  CK(cudaMalloc(&out, sizeof(int)));
  CK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  count<<<1, 64>>>(in, out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, out, sizeof(int), cudaMemcpyDeviceToHost));
  std::printf("positive %d\n", h[0]);
  CK(cudaFree(in));
  CK(cudaFree(out));
}
