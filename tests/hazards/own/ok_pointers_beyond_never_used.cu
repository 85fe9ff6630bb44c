// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: core
// hw: ok
// row: M1
// why: threads beyond the array compute addresses from it and never use them
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void copy(const int* in, int* out) {
  __shared__ int tile[32];
  const int t = threadIdx.x;
  int* mine = tile + t;
  if (t < 32) {
    *mine = in[t];
    out[t] = *mine + 1;
  }
}

int main() {
  int *in, *out, h[32], bad = 0;
  for (int i = 0; i < 32; ++i) h[i] = i;
  CK(cudaMalloc(&in, sizeof h));
  CK(cudaMalloc(&out, sizeof h));
  CK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  copy<<<1, 64>>>(in, out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 32; ++i) bad += h[i] != i + 1;
  std::printf("%s\n", bad ? "FAIL" : "PASS");
  return bad != 0;
}
