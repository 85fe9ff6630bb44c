// expect: race-global
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: core
// hw: silent
// row: R8
// why: a lock class takes the lock with acquire but gives it back with a relaxed store
#include <cstdio>
#include <cstdlib>
#include <cuda/atomic>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

class Lock {
 public:
  __device__ explicit Lock(int& word) : word_(word) {
    while (word_.exchange(1, cuda::std::memory_order_acquire) != 0) {
    }
  }
  __device__ ~Lock() { word_.store(0, cuda::std::memory_order_relaxed); }

 private:
  cuda::atomic_ref<int, cuda::thread_scope_device> word_;
};

__global__ void deposit(int* lock, long long* account, long long amount) {
  if (threadIdx.x != 0) return;
  Lock guard(*lock);
  *account += amount;  // @A @B
}

int main() {
  int* lock;
  long long *account, h = 0;
  CK(cudaMalloc(&lock, sizeof(int)));
  CK(cudaMalloc(&account, sizeof h));
  CK(cudaMemset(lock, 0, sizeof(int)));
  CK(cudaMemset(account, 0, sizeof h));
  deposit<<<8, 32>>>(lock, account, 5);
  CK(cudaGetLastError());
  CK(cudaMemcpy(&h, account, sizeof h, cudaMemcpyDeviceToHost));
  std::printf("account %lld\n", h);
  CK(cudaFree(lock));
  CK(cudaFree(account));
}
