// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: ok
// row: R12
// why: __ldg() of what earlier kernels have written, and of what a thread overwrites afterwards
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void fill(float4* p) { p[threadIdx.x] = make_float4(threadIdx.x, 1, 2, 3); }
__global__ void sum(const float4* p, float* out) {
  const float4 v = __ldg(&p[63 - threadIdx.x]);
  out[threadIdx.x] = v.x + v.y + v.z + v.w;
}
__global__ void twice(float* p) { p[threadIdx.x] = 2 * __ldg(&p[threadIdx.x]); }

int main() {
  float h[64], *out;
  float4* p;
  int bad = 0;
  CK(cudaMalloc(&p, 64 * sizeof(float4)));
  CK(cudaMalloc(&out, sizeof h));
  fill<<<1, 64>>>(p);
  sum<<<1, 64>>>(p, out);
  twice<<<1, 64>>>(out);
  CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 64; ++i) bad += h[i] != 2 * (63 - i + 6);
  CK(cudaFree(p));
  CK(cudaFree(out));
  std::printf("%s\n", bad ? "FAIL" : "PASS");
  return bad != 0;
}
