// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: ok
// row: M10
// why: pool memory allocated in one stream, used in a second, given back in a third; events order all of it
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void fill(int* p) { p[threadIdx.x] = threadIdx.x; }

int main() {
  int h[64], *p, bad = 0;
  cudaStream_t s[3];
  cudaEvent_t e[2];
  for (cudaStream_t& each : s) CK(cudaStreamCreateWithFlags(&each, cudaStreamNonBlocking));
  for (cudaEvent_t& each : e) CK(cudaEventCreateWithFlags(&each, cudaEventDisableTiming));
  for (int round = 0; round < 3; ++round) {
    CK(cudaMallocAsync(&p, sizeof h, s[0]));
    CK(cudaEventRecord(e[0], s[0]));
    CK(cudaStreamWaitEvent(s[1], e[0], 0));
    fill<<<1, 64, 0, s[1]>>>(p);
    CK(cudaMemcpyAsync(h, p, sizeof h, cudaMemcpyDeviceToHost, s[1]));
    CK(cudaEventRecord(e[1], s[1]));
    CK(cudaStreamWaitEvent(s[2], e[1], 0));
    CK(cudaFreeAsync(p, s[2]));
    CK(cudaStreamSynchronize(s[2]));
    for (int i = 0; i < 64; ++i) bad += h[i] != i;
  }
  for (cudaEvent_t each : e) CK(cudaEventDestroy(each));
  for (cudaStream_t each : s) CK(cudaStreamDestroy(each));
  std::printf("%s\n", bad ? "FAIL" : "PASS");
  return bad != 0;
}
