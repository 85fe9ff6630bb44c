// expect: bad-mask
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: silent
// row: K4
// why: the leader of every quarter is read by a mask of the lower half; the branch below uses the value as a condition
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void k(const int* in, int* out) {
  const int lane = threadIdx.x;
  int v = in[lane];
  if (lane < 16) {
    const int first = __shfl_sync(0x0000ffffu, v, 24);  // @A
    if (first > 3) v = 0;
  }
  out[lane] = v;
}
int main() {
  int h[32], *in, *out;
  for (int i = 0; i < 32; ++i) h[i] = i;
  CK(cudaMalloc(&in, sizeof h));
  CK(cudaMalloc(&out, sizeof h));
  CK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  k<<<1, 32>>>(in, out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  std::printf("%d\n", h[0]);
  CK(cudaFree(in));
  CK(cudaFree(out));
}
