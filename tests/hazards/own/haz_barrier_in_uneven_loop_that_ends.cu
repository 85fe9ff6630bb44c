// expect: barrier-divergence
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: ok
// row: S2
// why: threads run a loop with a barrier a different number of times, and those that are done leave the kernel
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void strided(int* out, int n) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  for (int i = t; i < n; i += 64) {
    s[t] = i;
    __syncthreads();  // @A
    out[i] = s[t];
  }
}  // @B

int main() {
  const int n = 100;
  int h[n], *out, bad = 0;
  CK(cudaMalloc(&out, sizeof h));
  strided<<<1, 64>>>(out, n);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; ++i) bad += h[i] != i;
  CK(cudaFree(out));
  std::printf("%s\n", bad ? "FAIL" : "PASS");
  return bad != 0;
}
