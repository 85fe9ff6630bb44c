// expect: race-shared
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: silent
// why: atomics protect the updates, but the total is read plainly before every thread has added
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void count(int* out) {
  __shared__ int n;
  if (threadIdx.x == 0) n = 0;
  __syncthreads();
  atomicAdd(&n, 1);      // @A
  out[threadIdx.x] = n;  // @B
}

int main() {
  int h[128], *out;
  CK(cudaMalloc(&out, sizeof h));
  count<<<1, 128>>>(out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  int low = 0;
  for (int v : h) low += v != 128;
  std::printf("early readers %d\n", low);
  CK(cudaFree(out));
}
