// expect: deadlock
// SPDX-License-Identifier: Apache-2.0
// needs: sm_80
// tier: core
// hw: hang
// why: cuda::barrier expects 64 arrivals but the block has 32 threads
#include <cstdio>
#include <cstdlib>
#include <cuda/barrier>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

using barrier_t = cuda::barrier<cuda::thread_scope_block>;
__global__ void wait_for_more(int* out) {
  __shared__ cuda::std::aligned_storage_t<sizeof(barrier_t), alignof(barrier_t)> mem;
  barrier_t* bar = reinterpret_cast<barrier_t*>(&mem);
  if (threadIdx.x == 0) init(bar, 64);
  __syncthreads();
  bar->arrive_and_wait();  // @A
  out[threadIdx.x] = 1;
}

int main() {
  int* out;
  CK(cudaMalloc(&out, 32 * sizeof(int)));
  wait_for_more<<<1, 32>>>(out);
  CK(cudaGetLastError());
  CK(cudaDeviceSynchronize());
  std::printf("finished\n");
  CK(cudaFree(out));
}
