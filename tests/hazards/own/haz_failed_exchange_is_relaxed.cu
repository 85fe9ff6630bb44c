// expect: race-global
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: silent
// row: R8
// why: the exchange that fails has a relaxed order, so it acquires nothing
#include <cstdio>
#include <cstdlib>
#include <cuda/atomic>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void pass(int* words) {
  cuda::atomic_ref<int, cuda::thread_scope_device> state(words[0]);
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    words[1] = 42;  // @A
    state.store(1, cuda::memory_order_release);
  } else {
    int found = 0;
    do {
      found = 5;
      state.compare_exchange_strong(found, 6, cuda::memory_order_acq_rel, cuda::memory_order_relaxed);
    } while (found != 1);
    words[2] = words[1];  // @B
  }
}

int main() {
  int *d, h[3];
  CK(cudaMalloc(&d, sizeof h));
  CK(cudaMemset(d, 0, sizeof h));
  pass<<<2, 32>>>(d);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
  CK(cudaFree(d));
  std::printf("got %d\n", h[2]);
}
