// expect: uninit-shared
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: core
// hw: silent
// why: the sum covers 64 shared slots, only 48 were written
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void sum(int* out) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  if (t < 48) s[t] = 1;
  __syncthreads();
  if (t == 0) {
    int v = 0;
    for (int i = 0; i < 64; ++i) v += s[i];  // @A
    *out = v;
  }
}

int main() {
  int h = 0, *out;
  CK(cudaMalloc(&out, sizeof(int)));
  sum<<<1, 64>>>(out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(&h, out, sizeof(int), cudaMemcpyDeviceToHost));
  std::printf("sum %d (48 only by luck)\n", h);
  CK(cudaFree(out));
}
