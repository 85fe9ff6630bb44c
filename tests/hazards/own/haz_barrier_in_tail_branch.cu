// expect: barrier-divergence
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: core
// hw: ok
// row: S3
// why: the barrier is inside `if (t < n)`, which not all threads of the block enter; the others run to the end
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void reversed_tail(int* out, int n) {
  __shared__ int s[128];
  const int t = threadIdx.x;
  if (t < n) {
    s[t] = t;
    __syncthreads();  // @A
    out[t] = s[n - 1 - t];
  }
}  // @B

int main() {
  const int n = 75;
  int h[n], *out, bad = 0;
  CK(cudaMalloc(&out, sizeof h));
  reversed_tail<<<1, 128>>>(out, n);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; ++i) bad += h[i] != n - 1 - i;
  CK(cudaFree(out));
  std::printf("%s\n", bad ? "FAIL" : "PASS");
  return bad != 0;
}
