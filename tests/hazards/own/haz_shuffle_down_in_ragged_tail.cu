// expect: bad-mask
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: silent
// row: K4
// why: a reduction of the first 21 lanes adds what it gets from lanes outside of the mask
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void tail_sum(const int* in, int n, int* out) {
  const int lane = threadIdx.x;
  const unsigned mask = __ballot_sync(0xffffffffu, lane < n);
  if (lane >= n) return;
  int v = in[lane];
  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(mask, v, d);  // @A
  if (lane == 0) *out = v;
}
int main() {
  const int n = 21;
  int h[n], sum = 0, *in, *out;
  for (int i = 0; i < n; ++i) h[i] = i;
  CK(cudaMalloc(&in, sizeof h));
  CK(cudaMalloc(&out, sizeof(int)));
  CK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  tail_sum<<<1, 32>>>(in, n, out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(&sum, out, sizeof(int), cudaMemcpyDeviceToHost));
  std::printf("%d\n", sum);
  CK(cudaFree(in));
  CK(cudaFree(out));
}
