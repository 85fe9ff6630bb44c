// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: ok
// row: S1
// why: the barriers are in branches, but every thread of a block takes the same one
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void either(int* out) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  s[t] = t;
  int v;
  if (blockIdx.x % 2 == 0) {
    __syncthreads();
    v = s[63 - t];
  } else {
    __syncthreads();
    v = s[(t + 1) % 64];
    for (unsigned i = 0; i < blockIdx.x; ++i) __syncthreads();
  }
  out[64 * blockIdx.x + t] = v;
}

int main() {
  int h[256], *out, bad = 0;
  CK(cudaMalloc(&out, sizeof h));
  either<<<4, 64>>>(out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 256; ++i) bad += h[i] != (i / 64 % 2 ? (i % 64 + 1) % 64 : 63 - i % 64);
  CK(cudaFree(out));
  std::printf("%s\n", bad ? "FAIL" : "PASS");
  return bad != 0;
}
