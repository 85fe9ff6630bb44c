// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: ok
// row: R8
// why: a ticket lock of relaxed tickets and an acquire load, released by a release store; plain data inside
#include <cstdio>
#include <cstdlib>
#include <cuda/atomic>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

using ref = cuda::atomic_ref<unsigned, cuda::thread_scope_device>;
struct Lock {
  unsigned next, serving;
};
__global__ void append(Lock* lock, int* list, int* used) {
  ref next(lock->next), serving(lock->serving);
  const unsigned ticket = next.fetch_add(1, cuda::std::memory_order_relaxed);
  while (serving.load(cuda::std::memory_order_acquire) != ticket) {
  }
  list[*used] = int(blockIdx.x * blockDim.x + threadIdx.x);
  *used += 1;
  serving.store(ticket + 1, cuda::std::memory_order_release);
}

int main() {
  int h[64], n = 0, sum = 0, *list, *used;
  Lock* lock;
  CK(cudaMalloc(&list, sizeof h));
  CK(cudaMalloc(&used, sizeof(int)));
  CK(cudaMalloc(&lock, sizeof(Lock)));
  CK(cudaMemset(used, 0, sizeof(int)));
  CK(cudaMemset(lock, 0, sizeof(Lock)));
  append<<<4, 16>>>(lock, list, used);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, list, sizeof h, cudaMemcpyDeviceToHost));
  CK(cudaMemcpy(&n, used, sizeof(int), cudaMemcpyDeviceToHost));
  for (int v : h) sum += v;
  CK(cudaFree(list));
  CK(cudaFree(used));
  CK(cudaFree(lock));
  const bool bad = n != 64 || sum != 2016;
  std::printf("%s\n", bad ? "FAIL" : "PASS");
  return bad;
}
