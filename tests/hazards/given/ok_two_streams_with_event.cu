// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: ok
// why: the corrected twin of haz_global_two_streams_no_event
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void produce(int* p) { p[threadIdx.x] = threadIdx.x; }
__global__ void consume(const int* p, int* q) { q[threadIdx.x] = p[threadIdx.x] + 1; }

int main() {
  int *p, *q, h[64], bad = 0;
  cudaStream_t a, b;
  cudaEvent_t ready;
  CK(cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking));
  CK(cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking));
  CK(cudaEventCreateWithFlags(&ready, cudaEventDisableTiming));
  CK(cudaMalloc(&p, sizeof h));
  CK(cudaMalloc(&q, sizeof h));
  produce<<<1, 64, 0, a>>>(p);
  CK(cudaEventRecord(ready, a));
  CK(cudaStreamWaitEvent(b, ready, 0));
  consume<<<1, 64, 0, b>>>(p, q);
  CK(cudaStreamSynchronize(b));
  CK(cudaMemcpy(h, q, sizeof h, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 64; ++i) bad += h[i] != i + 1;
  CK(cudaFree(p));
  CK(cudaFree(q));
  CK(cudaEventDestroy(ready));
  CK(cudaStreamDestroy(a));
  CK(cudaStreamDestroy(b));
  std::printf("%s\n", bad ? "FAIL" : "PASS");
  return bad != 0;
}
