// expect: race-global
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: silent
// row: R12
// why: the host reads the registered destination of an asynchronous copy that it has not waited for
#include <cstdio>
#include <cstdlib>
#include <vector>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void fill(int* p) { p[threadIdx.x] = threadIdx.x; }

int main() {
  constexpr int kCount = 256;
  std::vector<int> values(kCount);
  int* p;
  cudaStream_t s;
  CK(cudaStreamCreate(&s));
  CK(cudaHostRegister(values.data(), kCount * sizeof(int), cudaHostRegisterDefault));
  CK(cudaMalloc(&p, kCount * sizeof(int)));
  fill<<<1, kCount, 0, s>>>(p);
  CK(cudaMemcpyAsync(values.data(), p, kCount * sizeof(int), cudaMemcpyDeviceToHost, s));  // @A
  const int seen = values[7];                                                              // @B
  CK(cudaStreamSynchronize(s));
  std::printf("seen %d\n", seen);
  CK(cudaHostUnregister(values.data()));
  CK(cudaFree(p));
  CK(cudaStreamDestroy(s));
}
