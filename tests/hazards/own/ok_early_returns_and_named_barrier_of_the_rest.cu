// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: ok
// row: S8
// why: warps without work return before a numbered barrier that counts the warps that stay
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void rows(const int* in, int* out, int n) {
  __shared__ int sums[4];
  const int warp = threadIdx.x / 32;
  const int warps = (n + 31) / 32;
  if (warp >= warps) return;
  if (threadIdx.x % 32 == 0) sums[warp] = in[threadIdx.x];
  asm volatile("bar.sync 1, %0;" : : "r"(warps * 32) : "memory");
  if (threadIdx.x != 0) return;
  int total = 0;
  for (int i = 0; i < warps; ++i) total += sums[i];
  *out = total;
}

int main() {
  int h[128], r = 0, *in, *out;
  for (int& v : h) v = 2;
  CK(cudaMalloc(&in, sizeof h));
  CK(cudaMalloc(&out, sizeof(int)));
  CK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  rows<<<1, 128>>>(in, out, 90);
  CK(cudaMemcpy(&r, out, sizeof r, cudaMemcpyDeviceToHost));
  std::puts(r == 6 ? "PASS" : "FAIL");
  CK(cudaFree(in));
  CK(cudaFree(out));
}
