// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: ok
// row: R12
// why: a wait for the default stream, an event in it and a query of it wait for the blocking streams, too
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void fill(int* p, int value) { p[threadIdx.x] = value; }

int main() {
  int *p, bad = 0;
  cudaStream_t s;
  cudaEvent_t e;
  CK(cudaStreamCreate(&s));
  CK(cudaEventCreate(&e));
  CK(cudaMallocManaged(&p, 64 * sizeof(int)));
  fill<<<1, 64, 0, s>>>(p, 1);
  CK(cudaStreamSynchronize(0));
  bad += p[63] != 1;
  fill<<<1, 64, 0, s>>>(p, 2);
  CK(cudaEventRecord(e, 0));
  CK(cudaEventSynchronize(e));
  bad += p[63] != 2;
  fill<<<1, 64, 0, s>>>(p, 3);
  while (cudaStreamQuery(0) == cudaErrorNotReady) {}
  bad += p[63] != 3;
  CK(cudaFree(p));
  CK(cudaEventDestroy(e));
  CK(cudaStreamDestroy(s));
  std::printf("%s\n", bad ? "FAIL" : "PASS");
  return bad != 0;
}
