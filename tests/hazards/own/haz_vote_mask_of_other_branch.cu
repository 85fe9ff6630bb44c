// expect: bad-mask
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// also-ok: deadlock
// hw: silent
// row: K1
// why: the mask was made for the lanes with work, but the lanes without it vote with it too
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void vote(const int* in, int n, int* out) {
  const int lane = threadIdx.x;
  const unsigned mask = __ballot_sync(0xffffffffu, lane < n);
  const int v = lane < n ? in[lane] : 0;
  out[lane] = __any_sync(mask, v > 10);  // @A
}

int main() {
  int h[32], *in, *out;
  for (int i = 0; i < 32; ++i) h[i] = i;
  CK(cudaMalloc(&in, sizeof h));
  CK(cudaMalloc(&out, sizeof h));
  CK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  vote<<<1, 32>>>(in, 20, out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  std::printf("out[31] = %d\n", h[31]);
  CK(cudaFree(in));
  CK(cudaFree(out));
}
