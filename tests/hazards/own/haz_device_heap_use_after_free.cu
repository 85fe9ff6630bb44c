// expect: use-after-free
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: silent
// row: M9
// why: a block of the device's heap is read by another thread after its owner has given it back
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void stale(int* out) {
  __shared__ int* p;
  if (threadIdx.x == 0) {
    p = static_cast<int*>(malloc(16 * sizeof(int)));
    p[3] = 5;
    free(p);
  }
  __syncthreads();
  if (threadIdx.x == 1) *out = p[3];  // @A
}

int main() {
  int h = 0, *out;
  CK(cudaMalloc(&out, sizeof h));
  stale<<<1, 32>>>(out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(&h, out, sizeof h, cudaMemcpyDeviceToHost));
  std::printf("got %d\n", h);
  CK(cudaFree(out));
}
