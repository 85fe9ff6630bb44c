// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: ok
// row: R12
// why: managed variables are written before launches and read when the stream has been waited for
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__managed__ int total;
__managed__ float scale[2];

__global__ void sum(const float* x) { atomicAdd(&total, static_cast<int>(x[threadIdx.x] * scale[threadIdx.x % 2])); }

int main() {
  float h[64], *x;
  int bad = 0;
  cudaStream_t s;
  CK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
  for (float& each : h) each = 2;
  CK(cudaMalloc(&x, sizeof h));
  CK(cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice));
  for (int round = 0; round < 3; ++round) {
    total = 0;
    scale[0] = 1;
    scale[1] = round;
    sum<<<1, 64, 0, s>>>(x);
    CK(cudaStreamSynchronize(s));
    bad += total != 64 + 64 * round;
  }
  CK(cudaStreamDestroy(s));
  CK(cudaFree(x));
  std::printf("%s\n", bad ? "FAIL" : "PASS");
  return bad != 0;
}
