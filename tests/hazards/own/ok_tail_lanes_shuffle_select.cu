// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// also-ok: bad-mask
// hw: ok
// row: K4
// why: a maximum over a ragged warp: what comes from outside of the mask is replaced before it is looked at
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void tail_max(const int* in, int n, int* out) {
  const int lane = threadIdx.x;
  const unsigned mask = __ballot_sync(0xffffffffu, lane < n);
  if (lane >= n) return;
  int v = in[lane];
  for (int d = 16; d > 0; d /= 2) {
    int other = __shfl_down_sync(mask, v, d);
    if (lane + d >= n) other = v;
    v = v > other ? v : other;
  }
  if (lane == 0) *out = v;
}
int main() {
  const int n = 21;
  int h[n], got = 0, *in, *out;
  for (int i = 0; i < n; ++i) h[i] = (i * 5) % 21 + 1;
  CK(cudaMalloc(&in, sizeof h));
  CK(cudaMalloc(&out, sizeof(int)));
  CK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  tail_max<<<1, 32>>>(in, n, out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(&got, out, sizeof(int), cudaMemcpyDeviceToHost));
  CK(cudaFree(in));
  CK(cudaFree(out));
  std::printf("%s\n", got != 21 ? "FAIL" : "PASS");
  return got != 21;
}
