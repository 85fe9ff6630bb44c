// expect: race-global
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: core
// hw: silent
// row: R6
// why: one block passes values between its warps through a global scratch buffer, with no barrier
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void reverse(const int* in, int* scratch, int* out) {
  const int t = threadIdx.x;
  scratch[t] = in[t];            // @A
  out[t] = scratch[127 - t];     // @B
}

int main() {
  int h[128], *in, *scratch, *out, bad = 0;
  for (int i = 0; i < 128; ++i) h[i] = i;
  CK(cudaMalloc(&in, sizeof h));
  CK(cudaMalloc(&scratch, sizeof h));
  CK(cudaMalloc(&out, sizeof h));
  CK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  CK(cudaMemset(scratch, 0, sizeof h));
  reverse<<<1, 128>>>(in, scratch, out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 128; ++i) bad += h[i] != 127 - i;
  std::printf("wrong %d\n", bad);
  CK(cudaFree(in));
  CK(cudaFree(scratch));
  CK(cudaFree(out));
}
