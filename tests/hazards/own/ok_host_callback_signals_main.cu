// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: ok
// row: R12
// why: a host function fills pinned memory and tells the main thread by an atomic, which then reads without a synchronisation
#include <cstdio>
#include <cstdlib>
#include <atomic>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

std::atomic<int> ready{0};
__global__ void fill(int* p) { p[threadIdx.x] = threadIdx.x; }
void tell(void* p) {
  static_cast<int*>(p)[0] += 7;
  ready.store(1, std::memory_order_release);
}
int main() {
  int* h;
  cudaStream_t s;
  CK(cudaStreamCreate(&s));
  CK(cudaMallocHost(&h, 64 * sizeof(int)));
  fill<<<1, 64, 0, s>>>(h);
  CK(cudaGetLastError());
  CK(cudaLaunchHostFunc(s, tell, h));
  while (ready.load(std::memory_order_acquire) == 0) {
  }
  const bool good = h[0] == 7 && h[63] == 63;
  CK(cudaStreamSynchronize(s));
  CK(cudaFreeHost(h));
  CK(cudaStreamDestroy(s));
  std::printf("%s\n", good ? "PASS" : "FAIL");
  return !good;
}
