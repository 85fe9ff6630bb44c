// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: core
// hw: ok
// row: R12
// why: one stream forks into two by an event, both halves are joined again by events before the sum
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void fill(int* p, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] = i;
}
__global__ void scale(int* p, int first, int by) { p[first + threadIdx.x] *= by; }
__global__ void add(const int* p, int* out) { atomicAdd(out, p[threadIdx.x]); }

int main() {
  int *p, *out, r = 0;
  cudaStream_t s[3];
  cudaEvent_t forked, joined[2];
  for (cudaStream_t& each : s) CK(cudaStreamCreateWithFlags(&each, cudaStreamNonBlocking));
  CK(cudaEventCreateWithFlags(&forked, cudaEventDisableTiming));
  for (cudaEvent_t& each : joined) CK(cudaEventCreateWithFlags(&each, cudaEventDisableTiming));
  CK(cudaMalloc(&p, 64 * sizeof(int)));
  CK(cudaMalloc(&out, sizeof(int)));
  CK(cudaMemsetAsync(out, 0, sizeof(int), s[0]));
  fill<<<2, 32, 0, s[0]>>>(p, 64);
  CK(cudaEventRecord(forked, s[0]));
  for (int i = 0; i < 2; ++i) {
    CK(cudaStreamWaitEvent(s[i + 1], forked, 0));
    scale<<<1, 32, 0, s[i + 1]>>>(p, 32 * i, i + 2);
    CK(cudaEventRecord(joined[i], s[i + 1]));
    CK(cudaStreamWaitEvent(s[0], joined[i], 0));
  }
  add<<<1, 64, 0, s[0]>>>(p, out);
  CK(cudaMemcpyAsync(&r, out, sizeof(int), cudaMemcpyDeviceToHost, s[0]));
  CK(cudaStreamSynchronize(s[0]));
  CK(cudaFree(p));
  CK(cudaFree(out));
  CK(cudaEventDestroy(forked));
  for (cudaEvent_t each : joined) CK(cudaEventDestroy(each));
  for (cudaStream_t each : s) CK(cudaStreamDestroy(each));
  const bool bad = r != 2 * 496 + 3 * 1520;
  std::printf("%s\n", bad ? "FAIL" : "PASS");
  return bad;
}
