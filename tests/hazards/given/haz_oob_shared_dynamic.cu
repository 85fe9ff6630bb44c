// expect: oob-shared
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: fault
// why: the kernel uses more dynamic shared memory than the launch asked for
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void scratch(int* out) {
  extern __shared__ int s[];
  const int t = threadIdx.x;
  s[t] = t;  // @A  64 ints used, 32 provided
  __syncthreads();
  out[t] = s[63 - t];
}

int main() {
  int h[64], *out;
  CK(cudaMalloc(&out, sizeof h));
  scratch<<<1, 64, 32 * sizeof(int)>>>(out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  std::printf("out[0] = %d\n", h[0]);
  CK(cudaFree(out));
}
