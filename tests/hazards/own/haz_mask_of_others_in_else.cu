// expect: bad-mask
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: core
// hw: may-hang
// row: K1
// why: the else branch shuffles with the mask that the vote made for the other branch
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__device__ int pick(unsigned mask, int value) {
  return __shfl_sync(mask, value, __ffs(mask) - 1);  // @A
}

__global__ void choose(const int* in, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const bool odd = in[i] & 1;
  const unsigned odds = __ballot_sync(0xffffffffu, odd);
  int v = 0;
  if (odd) {
    v = in[i];
  } else {
    v = pick(odds, in[i]);
  }
  out[i] = v;
}

int main() {
  int h[64], *in, *out;
  for (int i = 0; i < 64; ++i) h[i] = i;
  CK(cudaMalloc(&in, sizeof h));
  CK(cudaMalloc(&out, sizeof h));
  CK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  choose<<<2, 32>>>(in, out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  std::printf("h[1] = %d\n", h[1]);
  CK(cudaFree(in));
  CK(cudaFree(out));
}
