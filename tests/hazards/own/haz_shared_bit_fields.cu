// expect: race-shared
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: silent
// row: R3
// why: two threads assign two bit fields that lie in one word, which both read, change and store
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

struct Flags {
  unsigned low : 12;
  unsigned high : 20;
};
__global__ void mark(unsigned* out) {
  __shared__ Flags flags;
  if (threadIdx.x == 0) flags = {0, 0};
  __syncthreads();
  if (threadIdx.x == 0) flags.low = blockIdx.x + 5;    // @A
  if (threadIdx.x == 33) flags.high = blockIdx.x + 9;  // @B
  __syncthreads();
  if (threadIdx.x == 0) *out = flags.low + flags.high;
}

int main() {
  unsigned r = 0, *out;
  CK(cudaMalloc(&out, sizeof r));
  mark<<<1, 64>>>(out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(&r, out, sizeof r, cudaMemcpyDeviceToHost));
  std::printf("sum %u of 14\n", r);
  CK(cudaFree(out));
}
