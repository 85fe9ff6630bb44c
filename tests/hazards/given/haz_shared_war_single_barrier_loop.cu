// expect: race-shared
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: core
// hw: silent
// why: one buffer, one barrier per iteration: the next store overtakes a slow reader (write-after-read)
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

constexpr int N = 96, STEPS = 8;
__global__ void rotate(int* data) {
  __shared__ int s[N];
  const int t = threadIdx.x;
  int v = data[t];
  for (int i = 0; i < STEPS; ++i) {
    s[t] = v;              // @B
    __syncthreads();
    v = s[(t + 1) % N];    // @A
  }                        // a second barrier belongs here
  data[t] = v;
}

int main() {
  int h[N], *d;
  for (int i = 0; i < N; ++i) h[i] = i;
  CK(cudaMalloc(&d, sizeof h));
  CK(cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice));
  rotate<<<1, N>>>(d);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
  int bad = 0;
  for (int i = 0; i < N; ++i) bad += h[i] != (i + STEPS) % N;
  std::printf("wrong %d\n", bad);
  CK(cudaFree(d));
}
