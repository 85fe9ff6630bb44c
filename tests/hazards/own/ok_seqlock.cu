// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: ok
// row: R8
// why: a sequence lock whose data are relaxed atomics, so that a torn read is seen and tried again
#include <cstdio>
#include <cstdlib>
#include <cuda/atomic>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

using word = cuda::atomic_ref<int, cuda::thread_scope_device>;
__global__ void k(int* seq, int* data, int* bad) {
  if (threadIdx.x != 0) return;
  word s(*seq), a(data[0]), b(data[1]);
  if (blockIdx.x == 0) {
    for (int i = 1; i <= 5; ++i) {
      s.store(2 * i - 1, cuda::memory_order_relaxed);
      cuda::atomic_thread_fence(cuda::memory_order_release, cuda::thread_scope_device);
      a.store(i, cuda::memory_order_relaxed);
      b.store(i, cuda::memory_order_relaxed);
      s.store(2 * i, cuda::memory_order_release);
    }
  } else {
    int one, before, x, y;
    do {
      before = s.load(cuda::memory_order_acquire);
      x = a.load(cuda::memory_order_relaxed);
      y = b.load(cuda::memory_order_relaxed);
      cuda::atomic_thread_fence(cuda::memory_order_acquire, cuda::thread_scope_device);
      one = s.load(cuda::memory_order_relaxed);
    } while (before != one || before % 2 != 0);
    if (x != y) atomicAdd(bad, 1);
  }
}
int main() {
  int *p, h[4];
  CK(cudaMalloc(&p, sizeof h));
  CK(cudaMemset(p, 0, sizeof h));
  k<<<4, 32>>>(p, p + 1, p + 3);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, p, sizeof h, cudaMemcpyDeviceToHost));
  CK(cudaFree(p));
  const bool good = h[1] == 5 && h[3] == 0;
  std::printf("%s\n", good ? "PASS" : "FAIL");
  return !good;
}
