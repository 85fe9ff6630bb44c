// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: core
// also-ok: uninit-global
// hw: ok
// row: M7
// why: a tile takes over the unwritten rest of a padded input, which nobody uses
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void sum(const float* in, float* out, int n) {
  __shared__ float tile[128];
  const int t = threadIdx.x;
  tile[t] = in[t];
  __syncthreads();
  float total = 0;
  for (int i = 0; i < n; ++i) total += tile[i];
  out[t] = total;
}

int main() {
  float h[128], *in, *out;
  for (float& each : h) each = 1;
  CK(cudaMalloc(&in, sizeof h));
  CK(cudaMalloc(&out, sizeof h));
  CK(cudaMemcpy(in, h, 100 * sizeof(float), cudaMemcpyHostToDevice));
  sum<<<1, 128>>>(in, out, 100);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  std::printf("%s\n", h[0] == 100 && h[127] == 100 ? "PASS" : "FAIL");
  CK(cudaFree(in));
  CK(cudaFree(out));
}
