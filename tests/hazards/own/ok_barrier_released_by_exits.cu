// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// also-ok: barrier-divergence
// hw: ok
// row: S3
// why: threads return from the middle of a loop with a barrier; the barrier waits for those that are left
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void shrink(int* out) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  s[t] = t;
  for (int live = 64; live > 1; live /= 2) {
    __syncthreads();
    if (t >= live / 2) return;
    s[t] += s[t + live / 2];
  }
  if (t == 0) *out = s[0];
}

int main() {
  int h = 0, *out;
  CK(cudaMalloc(&out, sizeof h));
  shrink<<<1, 64>>>(out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(&h, out, sizeof h, cudaMemcpyDeviceToHost));
  CK(cudaFree(out));
  std::printf("%s\n", h != 2016 ? "FAIL" : "PASS");
  return h != 2016;
}
