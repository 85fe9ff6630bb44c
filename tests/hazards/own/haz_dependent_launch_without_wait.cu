// expect: race-global
// SPDX-License-Identifier: Apache-2.0
// needs: sm_90
// tier: extra
// hw: silent
// row: R12
// why: a kernel that may begin before the one before it has ended reads what that one writes, and does not wait
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void produce(int* p) {
  p[threadIdx.x] = threadIdx.x;  // @A
  cudaTriggerProgrammaticLaunchCompletion();
}
__global__ void consume(const int* p, int* q) {
  q[threadIdx.x] = p[63 - threadIdx.x];  // @B  cudaGridDependencySynchronize() comes too late
  cudaGridDependencySynchronize();
}

int main() {
  int *p, *q;
  cudaStream_t s;
  CK(cudaStreamCreate(&s));
  CK(cudaMalloc(&p, 64 * sizeof(int)));
  CK(cudaMalloc(&q, 64 * sizeof(int)));
  produce<<<1, 64, 0, s>>>(p);
  CK(cudaGetLastError());
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attribute.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = 1;
  config.blockDim = 64;
  config.stream = s;
  config.attrs = &attribute;
  config.numAttrs = 1;
  CK(cudaLaunchKernelEx(&config, consume, static_cast<const int*>(p), q));
  CK(cudaDeviceSynchronize());
  CK(cudaFree(p));
  CK(cudaFree(q));
  CK(cudaStreamDestroy(s));
}
