// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: core
// hw: ok
// why: warp-synchronous reduction in shared memory with __syncwarp between every read and every write phase
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void warp_sum(const int* in, int* out) {
  __shared__ int s[32];
  const int lane = threadIdx.x;
  s[lane] = in[lane];
  __syncwarp();
  for (int step = 16; step > 0; step /= 2) {
    const int other = lane < step ? s[lane + step] : 0;
    __syncwarp();
    if (lane < step) s[lane] += other;
    __syncwarp();
  }
  if (lane == 0) *out = s[0];
}

int main() {
  int h[32], sum = 0, *in, *out;
  for (int i = 0; i < 32; ++i) h[i] = i + 1;
  CK(cudaMalloc(&in, sizeof h));
  CK(cudaMalloc(&out, sizeof(int)));
  CK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  warp_sum<<<1, 32>>>(in, out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(&sum, out, sizeof(int), cudaMemcpyDeviceToHost));
  CK(cudaFree(in));
  CK(cudaFree(out));
  std::printf("%s\n", sum != 528 ? "FAIL" : "PASS");
  return sum != 528;
}
