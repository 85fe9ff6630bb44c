// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: core
// hw: ok
// why: two buffers make one barrier per iteration enough: a slot is rewritten two barriers after its last read began
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

constexpr int N = 96, STEPS = 9;
__global__ void rotate(int* data) {
  __shared__ int s[2][N];
  const int t = threadIdx.x;
  int v = data[t];
  for (int i = 0; i < STEPS; ++i) {
    s[i & 1][t] = v;
    __syncthreads();
    v = s[i & 1][(t + 1) % N];
  }
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
  CK(cudaFree(d));
  std::printf("%s\n", bad ? "FAIL" : "PASS");
  return bad != 0;
}
