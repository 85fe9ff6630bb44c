// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: ok
// row: M1
// why: four values at a time with a remainder of three, at the very end of an allocation
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void scale(float* p, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (4 * i + 3 < n) {
    float4 v = reinterpret_cast<float4*>(p)[i];
    v.x *= 2, v.y *= 2, v.z *= 2, v.w *= 2;
    reinterpret_cast<float4*>(p)[i] = v;
  } else {
    for (int k = 4 * i; k < n; ++k) p[k] *= 2;
  }
}

int main() {
  const int n = 103;
  float h[n], *p;
  int bad = 0;
  for (int i = 0; i < n; ++i) h[i] = float(i);
  CK(cudaMalloc(&p, sizeof h));
  CK(cudaMemcpy(p, h, sizeof h, cudaMemcpyHostToDevice));
  scale<<<1, 32>>>(p, n);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, p, sizeof h, cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; ++i) bad += h[i] != float(2 * i);
  CK(cudaFree(p));
  std::printf("%s\n", bad ? "FAIL" : "PASS");
  return bad != 0;
}
