// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: ok
// row: S1
// why: all threads count, those without a value bring nothing
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void count(const int* in, int* out) {
  int n = 0;
  n = __syncthreads_count(threadIdx.y == 0 && in[threadIdx.x] > 0);
  if (threadIdx.x == 0 && threadIdx.y == 0) *out = n;
}

int main() {
  int h[32], *in, *out;
  for (int i = 0; i < 32; ++i) h[i] = i % 2;
  CK(cudaMalloc(&in, sizeof h));
  CK(cudaMalloc(&out, sizeof(int)));
  CK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  count<<<1, dim3(32, 2)>>>(in, out);
  CK(cudaMemcpy(h, out, sizeof(int), cudaMemcpyDeviceToHost));
  std::puts(h[0] == 16 ? "PASS" : "FAIL");
  CK(cudaFree(in));
  CK(cudaFree(out));
}
