// expect: uninit-shared
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: core
// hw: silent
// row: M7
// why: the last quarter of the input is never written; a tile takes it over as it is, and a sum uses it
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void sum(const float* in, float* out) {
  __shared__ float tile[128];
  const int t = threadIdx.x;
  tile[t] = in[t];  // @A
  __syncthreads();
  float total = 1;
  for (int i = 0; i < 128; ++i) total = total * 0.5F + tile[i];  // @B
  out[t] = total;
}

int main() {
  float h[128], *in, *out;
  for (float& each : h) each = 1;
  CK(cudaMalloc(&in, sizeof h));
  CK(cudaMalloc(&out, sizeof h));
  CK(cudaMemcpy(in, h, sizeof h / 4 * 3, cudaMemcpyHostToDevice));
  sum<<<1, 128>>>(in, out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  std::printf("h[0] = %g\n", h[0]);
  CK(cudaFree(in));
  CK(cudaFree(out));
}
