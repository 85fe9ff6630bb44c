// expect: bad-mask
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// also-ok: deadlock
// hw: may-hang
// row: K6
// why: lanes leave the loop one by one, those left go on voting for all thirty-two
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void search(const int* in, int* out) {
  const int lane = threadIdx.x;
  int steps = 0;
  for (int i = 0; i < in[lane]; ++i) {
    if (__all_sync(0xffffffffu, i > 20)) break;  // @A
    ++steps;
  }
  __syncwarp();                                  // @B
  out[lane] = steps;
}

int main() {
  int h[32], *in, *out;
  for (int i = 0; i < 32; ++i) h[i] = 1 + i % 4;
  CK(cudaMalloc(&in, sizeof h));
  CK(cudaMalloc(&out, sizeof h));
  CK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  search<<<1, 32>>>(in, out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  std::printf("out[31] = %d\n", h[31]);
  CK(cudaFree(in));
  CK(cudaFree(out));
}
