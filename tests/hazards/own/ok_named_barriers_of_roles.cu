// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: core
// hw: ok
// row: S1
// why: warp-specialised roles over named PTX barriers: producers arrive where consumers wait, and the other way round
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void roles(const int* in, int* out, int tiles) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  if (t < 64) {
    for (int i = 0; i < tiles; ++i) {
      asm volatile("bar.sync 2, 128;" ::: "memory");
      s[t] = in[64 * i + t];
      asm volatile("bar.arrive 1, 128;" ::: "memory");
    }
    asm volatile("bar.sync 2, 128;" ::: "memory");
  } else {
    int sum = 0;
    asm volatile("bar.arrive 2, 128;" ::: "memory");
    for (int i = 0; i < tiles; ++i) {
      asm volatile("bar.sync 1, 128;" ::: "memory");
      sum += s[127 - t];
      asm volatile("bar.arrive 2, 128;" ::: "memory");
    }
    out[t - 64] = sum;
  }
}

int main() {
  int h[256], r[64], *in, *out, bad = 0;
  for (int i = 0; i < 256; ++i) h[i] = i;
  CK(cudaMalloc(&in, sizeof h));
  CK(cudaMalloc(&out, sizeof r));
  CK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  roles<<<1, 128>>>(in, out, 4);
  CK(cudaGetLastError());
  CK(cudaMemcpy(r, out, sizeof r, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 64; ++i) bad += r[i] != 4 * (63 - i) + 64 * 6;
  CK(cudaFree(in));
  CK(cudaFree(out));
  std::printf("%s\n", bad ? "FAIL" : "PASS");
  return bad != 0;
}
