// expect: livelock
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: core
// hw: hang
// row: F1
// why: a warp waits for a flag in shared memory that its setter sets only if it finds something, and it finds nothing
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void search(const int* in, int n, int wanted, int* out) {
  __shared__ volatile int found;
  if (threadIdx.x == 0 && threadIdx.y == 0) found = -1;
  __syncthreads();
  if (threadIdx.y == 0) {
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
      if (in[i] == wanted) found = i;
    }
  } else {
    while (found < 0) {  // @A
    }
    if (threadIdx.x == 0) *out = found;
  }
}

int main() {
  int h[64], *in, *out;
  for (int i = 0; i < 64; ++i) h[i] = i;
  CK(cudaMalloc(&in, sizeof h));
  CK(cudaMalloc(&out, sizeof(int)));
  CK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  search<<<1, dim3(32, 2)>>>(in, 64, 100, out);
  CK(cudaGetLastError());
  std::printf("synchronise: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
