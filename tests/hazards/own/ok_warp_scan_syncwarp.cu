// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: ok
// row: R2
// why: a scan in shared memory by the lanes of each warp, every read and write phase apart by __syncwarp, ragged last warp
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void scan(const int* in, int* out, int n) {
  __shared__ int s[96];
  const int t = threadIdx.x, lane = t % 32;
  const unsigned mask = __ballot_sync(0xffffffffu, t < n);
  if (t >= n) return;
  s[t] = in[t];
  __syncwarp(mask);
  for (int d = 1; d < 32; d *= 2) {
    const int add = lane >= d ? s[t - d] : 0;
    __syncwarp(mask);
    s[t] += add;
    __syncwarp(mask);
  }
  out[t] = s[t];
}

int main() {
  const int n = 77;
  int h[n], r[n], *in, *out, bad = 0;
  for (int i = 0; i < n; ++i) h[i] = i % 4 + 1;
  CK(cudaMalloc(&in, sizeof h));
  CK(cudaMalloc(&out, sizeof h));
  CK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  scan<<<1, 96>>>(in, out, n);
  CK(cudaGetLastError());
  CK(cudaMemcpy(r, out, sizeof r, cudaMemcpyDeviceToHost));
  for (int i = 0, sum = 0; i < n; ++i) {
    sum = (i % 32 ? sum : 0) + h[i];
    bad += r[i] != sum;
  }
  CK(cudaFree(in));
  CK(cudaFree(out));
  std::printf("%s\n", bad ? "FAIL" : "PASS");
  return bad != 0;
}
