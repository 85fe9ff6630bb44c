// expect: race-shared
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: silent
// row: A5
// why: the producer warp refills a stage without waiting for the consumers to be done with it
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

template <int kId> __device__ void meet(int threads) {
  asm volatile("barrier.sync %0, %1;" ::"n"(kId), "r"(threads) : "memory");
}
__global__ void stages(const int* in, int* out) {
  __shared__ int stage[32];
  const int lane = threadIdx.x % 32;
  int sum = 0;
  for (int i = 0; i < 3; ++i) {
    if (threadIdx.x < 32)
      stage[lane] = in[32 * i + lane];  // @B
    meet<5>(96);
    if (threadIdx.x >= 32)
      sum += stage[31 - lane];  // @A
  }
  if (threadIdx.x >= 32) out[threadIdx.x - 32] = sum;
}

int main() {
  int h[96], *in, *out;
  for (int& x : h) x = 1;
  CK(cudaMalloc(&in, sizeof h));
  CK(cudaMalloc(&out, 64 * sizeof(int)));
  CK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  stages<<<1, 128 - 32>>>(in, out);
  CK(cudaMemcpy(h, out, 64 * sizeof(int), cudaMemcpyDeviceToHost));
  std::puts(h[63] == 3 ? "PASS" : "FAIL");
  CK(cudaFree(in));
  CK(cudaFree(out));
}
