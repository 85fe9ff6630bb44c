// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: ok
// row: M7
// why: the halo is loaded by the first threads, the rest of an oversized tile is never written and never read
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void blur(const int* in, int* out, int n) {
  __shared__ int s[130];
  const int t = threadIdx.x;
  for (int i = t; i < n + 2; i += blockDim.x) s[i] = i == 0 || i == n + 1 ? 0 : in[i - 1];
  __syncthreads();
  if (t < n) out[t] = s[t] + s[t + 1] + s[t + 2];
}

int main() {
  const int n = 60;
  int h[n], *in, *out, bad = 0;
  for (int i = 0; i < n; ++i) h[i] = 1;
  CK(cudaMalloc(&in, sizeof h));
  CK(cudaMalloc(&out, sizeof h));
  CK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  blur<<<1, 64>>>(in, out, n);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; ++i) bad += h[i] != (i == 0 || i == n - 1 ? 2 : 3);
  CK(cudaFree(in));
  CK(cudaFree(out));
  std::printf("%s\n", bad ? "FAIL" : "PASS");
  return bad != 0;
}
