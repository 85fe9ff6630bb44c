// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: ok
// row: R2
// why: each step of the tree has a barrier of the warp between its reads and its writes
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void sum(int* out) {
  __shared__ volatile int part[32];
  const unsigned lane = threadIdx.x;
  part[lane] = static_cast<int>(lane);
  __syncwarp();
  for (unsigned step = 16; step > 0; step /= 2) {
    const int other = lane < step ? part[lane + step] : 0;
    __syncwarp();
    if (lane < step) part[lane] = part[lane] + other;
    __syncwarp();
  }
  if (lane == 0) *out = part[0];
}

int main() {
  int *d, h[1];
  CK(cudaMalloc(&d, sizeof h));
  CK(cudaMemset(d, 0, sizeof h));
  sum<<<1, 32>>>(d);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
  CK(cudaFree(d));
  std::printf("%s\n", h[0] == 496 ? "PASS" : "FAIL");
  return !(h[0] == 496);
}
