// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: core
// also-ok: bad-mask
// hw: ok
// row: K2
// why: the mask still names lanes that have returned or never existed (a block of 45); the rest do not wait for them
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void sum(const int* in, int* out) {
  const int t = threadIdx.x;
  if (t % 32 >= 16) return;
  int v = in[t];
  for (int d = 8; d > 0; d /= 2) {
    __syncwarp();
    const int other = __shfl_xor_sync(0xffffffffu, v, d);
    v += t / 32 == 0 || (t ^ d) < 45 ? other : 0;
  }
  out[t] = v;
}

int main() {
  int h[45], r[45], *in, *out, bad = 0;
  for (int i = 0; i < 45; ++i) h[i] = i + 1, r[i] = 0;
  CK(cudaMalloc(&in, sizeof h));
  CK(cudaMalloc(&out, sizeof h));
  CK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  CK(cudaMemset(out, 0, sizeof h));
  sum<<<1, 45>>>(in, out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(r, out, sizeof r, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 16; ++i) bad += r[i] != 136;
  bad += r[16] != 0 || r[44] == 0;
  CK(cudaFree(in));
  CK(cudaFree(out));
  std::printf("%s\n", bad ? "FAIL" : "PASS");
  return bad != 0;
}
