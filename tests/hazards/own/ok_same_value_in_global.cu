// expect: benign-race
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// also-ok: race-global
// hw: ok
// row: R13
// why: threads of several blocks store the same mark into global memory, as breadth-first searches do
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void mark(const int* in, int* found) {
  if (in[blockIdx.x * blockDim.x + threadIdx.x] == 3) *found = 1;  // @A @B
}

int main() {
  int h[128], r = 0, *in, *found;
  for (int i = 0; i < 128; ++i) h[i] = i % 8;
  CK(cudaMalloc(&in, sizeof h));
  CK(cudaMalloc(&found, sizeof(int)));
  CK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  CK(cudaMemset(found, 0, sizeof(int)));
  mark<<<4, 32>>>(in, found);
  CK(cudaGetLastError());
  CK(cudaMemcpy(&r, found, sizeof(int), cudaMemcpyDeviceToHost));
  CK(cudaFree(in));
  CK(cudaFree(found));
  std::printf("%s\n", r != 1 ? "FAIL" : "PASS");
  return r != 1;
}
