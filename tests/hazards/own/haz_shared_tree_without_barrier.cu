// expect: race-shared
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: silent
// row: R1
// why: tree reduction whose loop lost its barrier: a level reads sums that the level before may not have stored
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void sum(const int* in, int* out) {
  __shared__ int s[128];
  const int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  for (int step = 64; step > 0; step /= 2) {
    if (t < step) s[t] += s[t + step];  // @A @B
  }
  if (t == 0) *out = s[0];
}

int main() {
  int h[128], r = 0, *in, *out;
  for (int i = 0; i < 128; ++i) h[i] = i;
  CK(cudaMalloc(&in, sizeof h));
  CK(cudaMalloc(&out, sizeof(int)));
  CK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  sum<<<1, 128>>>(in, out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(&r, out, sizeof(int), cudaMemcpyDeviceToHost));
  std::printf("sum %d of 8128\n", r);
  CK(cudaFree(in));
  CK(cudaFree(out));
}
