// expect: race-global
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: core
// hw: silent
// row: R8
// why: the flag is atomic but relaxed on both sides, so the payload is not ordered with it
#include <cstdio>
#include <cstdlib>
#include <cuda/atomic>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void pass(int* payload, int* flag, int* out) {
  cuda::atomic_ref<int, cuda::thread_scope_device> f(*flag);
  if (blockIdx.x == 0) {
    *payload = 42;    // @A
    f.store(1, cuda::std::memory_order_relaxed);
  } else {
    while (f.load(cuda::std::memory_order_relaxed) == 0) {
    }
    *out = *payload;  // @B
  }
}

int main() {
  int *p, h = 0;
  CK(cudaMalloc(&p, 3 * sizeof(int)));
  CK(cudaMemset(p, 0, 3 * sizeof(int)));
  pass<<<2, 1>>>(p, p + 1, p + 2);
  CK(cudaGetLastError());
  CK(cudaMemcpy(&h, p + 2, sizeof(int), cudaMemcpyDeviceToHost));
  std::printf("got %d\n", h);
  CK(cudaFree(p));
}
