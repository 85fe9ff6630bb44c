// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: core
// hw: ok
// row: R8
// why: a lock object of cuda::atomic_ref around plain data, taken by one thread of every warp, released by its destructor
#include <cstdio>
#include <cstdlib>
#include <cuda/atomic>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

class Guard {
 public:
  __device__ explicit Guard(int& word) : word_(word) {
    int expected = 0;
    while (!word_.compare_exchange_weak(expected, 1, cuda::std::memory_order_acquire, cuda::std::memory_order_relaxed)) {
      expected = 0;
      __nanosleep(8);
    }
  }
  __device__ ~Guard() { word_.store(0, cuda::std::memory_order_release); }
  Guard(const Guard&) = delete;
  Guard& operator=(const Guard&) = delete;

 private:
  cuda::atomic_ref<int, cuda::thread_scope_device> word_;
};

struct Account {
  int lock;
  long long balance;
  int moves;
};

__global__ void deposit(Account* account, int amount) {
  if (threadIdx.x % 32 != 0) return;
  const Guard guard(account->lock);
  account->balance += amount;
  ++account->moves;
}

int main() {
  Account h{}, *account;
  CK(cudaMalloc(&account, sizeof h));
  CK(cudaMemset(account, 0, sizeof h));
  deposit<<<6, 96>>>(account, 5);
  CK(cudaGetLastError());
  CK(cudaMemcpy(&h, account, sizeof h, cudaMemcpyDeviceToHost));
  const int bad = (h.balance != 90) + (h.moves != 18);
  CK(cudaFree(account));
  std::printf("%s\n", bad ? "FAIL" : "PASS");
  return bad != 0;
}
