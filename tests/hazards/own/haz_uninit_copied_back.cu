// expect: uninit-global
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: core
// hw: silent
// row: M6
// why: the kernel leaves its sums in one buffer and the host copies the other one back, by way of a third
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

struct Buffers {
  float *front, *back;
};
__global__ void smooth(const float* in, Buffers to, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to.front[i] = in[i] * 0.5f + in[(i + 1) % n] * 0.5f;
}

int main() {
  constexpr int n = 200;
  float h[n], *in, *kept;
  Buffers to{};
  for (int i = 0; i < n; ++i) h[i] = float(i);
  CK(cudaMalloc(&in, sizeof h));
  CK(cudaMalloc(&kept, sizeof h));
  CK(cudaMalloc(&to.front, sizeof h));
  CK(cudaMalloc(&to.back, sizeof h));
  CK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  smooth<<<2, 128>>>(in, to, n);
  CK(cudaGetLastError());
  CK(cudaMemcpy(kept, to.back, sizeof h, cudaMemcpyDeviceToDevice));
  CK(cudaMemcpy(h, kept, sizeof h, cudaMemcpyDeviceToHost));  // @A
  std::printf("first %g\n", double(h[0]));
  CK(cudaFree(in));
  CK(cudaFree(kept));
  CK(cudaFree(to.front));
  CK(cudaFree(to.back));
  return 0;
}
