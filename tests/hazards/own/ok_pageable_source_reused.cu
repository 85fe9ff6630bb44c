// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: ok
// row: R12
// why: pageable sources of asynchronous copies are read at the call and refilled at once
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void keep(const int* p, int* q) { q[threadIdx.x] = p[threadIdx.x]; }

int main() {
  int h[64], out[4][64], *p, *q, bad = 0;
  cudaStream_t s;
  CK(cudaStreamCreate(&s));
  CK(cudaMalloc(&p, sizeof h));
  CK(cudaMalloc(&q, sizeof out));
  for (int round = 0; round < 4; ++round) {
    for (int i = 0; i < 64; ++i) h[i] = 100 * round + i;
    CK(cudaMemcpyAsync(p, h, sizeof h, cudaMemcpyHostToDevice, s));
    for (int& each : h) each = -1;
    keep<<<1, 64, 0, s>>>(p, q + 64 * round);
  }
  CK(cudaMemcpyAsync(out, q, sizeof out, cudaMemcpyDeviceToHost, s));
  CK(cudaStreamSynchronize(s));
  for (int i = 0; i < 256; ++i) bad += out[i / 64][i % 64] != 100 * (i / 64) + i % 64;
  CK(cudaFree(p));
  CK(cudaFree(q));
  CK(cudaStreamDestroy(s));
  std::printf("%s\n", bad ? "FAIL" : "PASS");
  return bad != 0;
}
