// expect: bad-mask
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: core
// hw: silent
// why: lanes 16..31 call the shuffle with a mask that does not contain themselves
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void broadcast(int* out) {
  const int lane = threadIdx.x;
  out[lane] = __shfl_sync(0x0000ffffu, lane + 100, 0);  // @A
}

int main() {
  int h[32], *out;
  CK(cudaMalloc(&out, sizeof h));
  broadcast<<<1, 32>>>(out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  std::printf("lane 31 got %d\n", h[31]);
  CK(cudaFree(out));
}
