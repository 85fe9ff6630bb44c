// expect: benign-race
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: core
// also-ok: race-shared
// hw: ok
// why: many threads store the same constant to one flag without ordering: formally a race, the value is not in doubt
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void any_negative(const int* in, int* out) {
  __shared__ int found;
  if (threadIdx.x == 0) found = 0;
  __syncthreads();
  if (in[threadIdx.x] < 0) found = 1;  // @A @B
  __syncthreads();
  if (threadIdx.x == 0) *out = found;
}

int main() {
  int h[128], r = 0, *in, *out;
  for (int i = 0; i < 128; ++i) h[i] = i % 3 - 1;
  CK(cudaMalloc(&in, sizeof h));
  CK(cudaMalloc(&out, sizeof(int)));
  CK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  any_negative<<<1, 128>>>(in, out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(&r, out, sizeof(int), cudaMemcpyDeviceToHost));
  CK(cudaFree(in));
  CK(cudaFree(out));
  std::printf("%s\n", r != 1 ? "FAIL" : "PASS");
  return r != 1;
}
