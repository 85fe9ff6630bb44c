// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_80
// tier: core
// hw: ok
// why: ragged last warp: the collective's mask comes from a full-warp ballot taken before the branch
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void tail_sum(const int* in, int n, int* out) {
  const int i = threadIdx.x;
  const unsigned mask = __ballot_sync(0xffffffffu, i < n);
  if (i < n) {
    const int sum = __reduce_add_sync(mask, in[i]);
    if (i % 32 == 0) atomicAdd(out, sum);
  }
}

int main() {
  const int n = 45;
  int h[n], sum = 0, *in, *out;
  for (int i = 0; i < n; ++i) h[i] = i;
  CK(cudaMalloc(&in, sizeof h));
  CK(cudaMalloc(&out, sizeof(int)));
  CK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  CK(cudaMemset(out, 0, sizeof(int)));
  tail_sum<<<1, 64>>>(in, n, out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(&sum, out, sizeof(int), cudaMemcpyDeviceToHost));
  CK(cudaFree(in));
  CK(cudaFree(out));
  std::printf("%s\n", sum != 990 ? "FAIL" : "PASS");
  return sum != 990;
}
