// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: core
// hw: ok
// row: R12
// why: a host function in the stream fills pinned memory between two kernels; another stream waits by event
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void add(const int* in, int* out) {
  out[threadIdx.x] += in[threadIdx.x];
}

void fill(void* data) {
  int* p = static_cast<int*>(data);
  for (int i = 0; i < 32; ++i) p[i] = 100 + i;
}

int main() {
  int h[32], *pinned, *out, bad = 0;
  CK(cudaHostAlloc(&pinned, sizeof h, cudaHostAllocMapped));
  CK(cudaMalloc(&out, sizeof h));
  CK(cudaMemset(out, 0, sizeof h));
  for (int i = 0; i < 32; ++i) pinned[i] = i;
  cudaStream_t one, two;
  cudaEvent_t event;
  CK(cudaStreamCreate(&one));
  CK(cudaStreamCreate(&two));
  CK(cudaEventCreate(&event));
  add<<<1, 32, 0, one>>>(pinned, out);
  CK(cudaLaunchHostFunc(one, fill, pinned));
  CK(cudaEventRecord(event, one));
  CK(cudaStreamWaitEvent(two, event, 0));
  add<<<1, 32, 0, two>>>(pinned, out);
  CK(cudaGetLastError());
  CK(cudaMemcpyAsync(h, out, sizeof h, cudaMemcpyDeviceToHost, two));
  CK(cudaEventRecord(event, two));
  CK(cudaEventSynchronize(event));
  for (int i = 0; i < 32; ++i) bad += h[i] != 2 * i + 100;
  CK(cudaEventDestroy(event));
  CK(cudaStreamDestroy(one));
  CK(cudaStreamDestroy(two));
  CK(cudaFreeHost(pinned));
  CK(cudaFree(out));
  std::printf("%s\n", bad ? "FAIL" : "PASS");
  return bad != 0;
}
