// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: ok
// row: S8
// why: named barriers of a block whose last warp is not full and whose lanes have partly returned
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void ragged(int* out) {
  __shared__ int s[48];
  const int t = threadIdx.x;
  if (t == 31 || t == 40) return;
  s[t] = t;
  asm volatile("barrier.sync.aligned 7, 64;" ::: "memory");
  out[t] = s[t < 32 ? 47 : 0];
  __barrier_sync(3);
  s[t] = -1;
  __barrier_sync_count(4, 64);
  out[t] += s[t < 32 ? 47 : 0];
}

int main() {
  int h[48], *d;
  CK(cudaMalloc(&d, sizeof h));
  CK(cudaMemset(d, 0, sizeof h));
  ragged<<<1, 48>>>(d);
  CK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
  std::puts(h[0] == 46 && h[47] == -1 ? "PASS" : "FAIL");
  CK(cudaFree(d));
}
