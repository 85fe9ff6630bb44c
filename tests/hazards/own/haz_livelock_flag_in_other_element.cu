// expect: livelock
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: core
// hw: hang
// row: F1
// why: the consumer waits for its own slot, but the producer marks the slot before it
#include <cstdio>
#include <cstdlib>
#include <cuda/atomic>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

struct Slot {
  int value;
  int ready;
};

__global__ void pass(Slot* slots) {
  if (threadIdx.x != 0) return;
  cuda::atomic_ref<int, cuda::thread_scope_device> ready(slots[blockIdx.x == 0 ? 0 : 1].ready);
  if (blockIdx.x == 0) {
    slots[0].value = 7;
    ready.store(1, cuda::std::memory_order_release);
  } else {
    while (ready.load(cuda::std::memory_order_acquire) == 0) {  // @A
      __nanosleep(20);
    }
    slots[1].value = slots[0].value;
  }
}

int main() {
  Slot* slots;
  CK(cudaMalloc(&slots, 2 * sizeof(Slot)));
  CK(cudaMemset(slots, 0, 2 * sizeof(Slot)));
  pass<<<2, 32>>>(slots);
  CK(cudaGetLastError());
  std::printf("synchronise: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
