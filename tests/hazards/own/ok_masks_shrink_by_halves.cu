// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: core
// also-ok: bad-mask
// hw: ok
// row: K3
// why: every round a half of the lanes returns; the others shuffle with the mask of those that are left, in one helper
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__device__ int add_upper(unsigned mask, int v, int d) {
  return v + __shfl_down_sync(mask, v, d);
}

__global__ void sum(const int* in, int* out) {
  const int lane = threadIdx.x % 32;
  int v = in[threadIdx.x];
  const unsigned half = lane < 16 ? 0x0000ffffu : 0xffff0000u;
  for (int d = 8; d > 0; d /= 2) v = add_upper(half, v, d);
  if (lane % 16 != 0) return;
  v = add_upper(0x00010001u, v, 16);
  if (lane != 0) return;
  out[threadIdx.x / 32] = __shfl_sync(0xffffffffu, v, 0);
}

int main() {
  int h[64], r[2], *in, *out, bad = 0;
  for (int i = 0; i < 64; ++i) h[i] = i;
  CK(cudaMalloc(&in, sizeof h));
  CK(cudaMalloc(&out, sizeof r));
  CK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  sum<<<1, 64>>>(in, out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(r, out, sizeof r, cudaMemcpyDeviceToHost));
  bad = (r[0] != 496) + (r[1] != 1520);
  CK(cudaFree(in));
  CK(cudaFree(out));
  std::printf("%s\n", bad ? "FAIL" : "PASS");
  return bad != 0;
}
