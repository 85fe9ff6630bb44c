// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_90
// tier: extra
// hw: ok
// row: R12
// why: dependent kernels do what they can, wait for those before them, and then read: by every thread, or by one before a barrier
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void produce(int* p) {
  p[threadIdx.x] = threadIdx.x;
  cudaTriggerProgrammaticLaunchCompletion();
  p[threadIdx.x] += 1;
}
__global__ void shift(int* p, int* q) {
  __shared__ int first;
  if (threadIdx.x == 0) first = 5;
  cudaGridDependencySynchronize();
  __syncthreads();
  q[threadIdx.x] = p[63 - threadIdx.x] + first;
  cudaTriggerProgrammaticLaunchCompletion();
}
__global__ void reset(int* p, const int* q) {
  if (threadIdx.x == 0) cudaGridDependencySynchronize();
  __syncthreads();
  p[threadIdx.x] = q[63 - threadIdx.x];
}

template <class... Parameters, class... Arguments>
void launch(cudaStream_t s, void (*kernel)(Parameters...), Arguments... arguments) {
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attribute.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = 1;
  config.blockDim = 64;
  config.stream = s;
  config.attrs = &attribute;
  config.numAttrs = 1;
  CK(cudaLaunchKernelEx(&config, kernel, arguments...));
}

int main() {
  int h[64], *p, *q, bad = 0;
  cudaStream_t s;
  CK(cudaStreamCreate(&s));
  CK(cudaMalloc(&p, sizeof h));
  CK(cudaMalloc(&q, sizeof h));
  launch(s, produce, p);
  launch(s, shift, p, q);
  launch(s, reset, p, static_cast<const int*>(q));
  CK(cudaMemcpyAsync(h, p, sizeof h, cudaMemcpyDeviceToHost, s));
  CK(cudaStreamSynchronize(s));
  for (int i = 0; i < 64; ++i) bad += h[i] != i + 1 + 5;
  CK(cudaFree(p));
  CK(cudaFree(q));
  CK(cudaStreamDestroy(s));
  std::printf("%s\n", bad ? "FAIL" : "PASS");
  return bad != 0;
}
