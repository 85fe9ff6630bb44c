// expect: deadlock
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: core
// also-ok: livelock
// hw: hang
// row: S9
// why: three philosophers each take the fork at their left and wait for the one at their right
#include <cstdio>
#include <cstdlib>
#include <new>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

#include <cuda/semaphore>
#pragma nv_diag_suppress static_var_with_dynamic_init
using Fork = cuda::binary_semaphore<cuda::thread_scope_block>;

__global__ void dine(int* meals) {
  __shared__ alignas(Fork) unsigned char memory[3][sizeof(Fork)];
  Fork* forks = reinterpret_cast<Fork*>(memory);
  const int who = threadIdx.x;
  new (forks + who) Fork(1);
  __syncthreads();
  forks[who].acquire();
  __syncthreads();
  forks[(who + 1) % 3].acquire();  // @A
  ++meals[who];
  forks[(who + 1) % 3].release();
  forks[who].release();
}

int main() {
  int* meals;
  CK(cudaMalloc(&meals, 3 * sizeof(int)));
  CK(cudaMemset(meals, 0, 3 * sizeof(int)));
  dine<<<1, 3>>>(meals);
  CK(cudaGetLastError());
  std::printf("synchronise: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
