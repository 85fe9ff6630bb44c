// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// also-ok: bad-mask
// hw: ok
// row: K4
// why: differences of neighbours: the last lane of the mask names the lane behind it and does not use what it gets
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void k(const int* in, int* out, int n) {
  const int lane = threadIdx.x;
  const unsigned mask = __ballot_sync(0xffffffffu, lane < n);
  if (lane >= n) return;
  const int v = in[lane];
  const int next = __shfl_sync(mask, v, lane + 1);
  out[lane] = lane + 1 < n ? next - v : 0;
}
int main() {
  const int n = 21;
  int h[n], *in, *out, bad = 0;
  for (int i = 0; i < n; ++i) h[i] = i * i;
  CK(cudaMalloc(&in, sizeof h));
  CK(cudaMalloc(&out, sizeof h));
  CK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  k<<<1, 32>>>(in, out, n);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; ++i) bad += h[i] != (i + 1 < n ? 2 * i + 1 : 0);
  CK(cudaFree(in));
  CK(cudaFree(out));
  std::printf("%s\n", bad ? "FAIL" : "PASS");
  return bad != 0;
}
