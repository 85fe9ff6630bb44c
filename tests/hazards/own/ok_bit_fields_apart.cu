// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: ok
// row: R3
// why: bit fields in words of their own (a zero-width field between them) may be assigned by different threads
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

struct Flags {
  unsigned low : 12;
  unsigned : 0;
  unsigned high : 20;
};
__global__ void mark(unsigned* out) {
  __shared__ Flags flags;
  if (threadIdx.x == 0) flags = {0, 0};
  __syncthreads();
  if (threadIdx.x == 0) flags.low = 5;
  if (threadIdx.x == 33) flags.high = 9;
  __syncthreads();
  if (threadIdx.x == 0) *out = flags.low + flags.high;
}

int main() {
  unsigned r = 0, *out;
  CK(cudaMalloc(&out, sizeof r));
  mark<<<1, 64>>>(out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(&r, out, sizeof r, cudaMemcpyDeviceToHost));
  CK(cudaFree(out));
  std::printf("%s\n", r != 14 ? "FAIL" : "PASS");
  return r != 14;
}
