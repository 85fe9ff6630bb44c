// SPDX-License-Identifier: Apache-2.0
// Reads of memory that nobody has written, by functions of headers: one for each of the ways in which those access memory.
#include <cooperative_groups.h>
#include <cuda_fp16.h>

#include <cuda/atomic>
#include <cuda/barrier>

__global__ void read(int* from, __half* sums, int* out) {
  __shared__ int tile[32];
  __shared__ cuda::barrier<cuda::thread_scope_block> met;  // its own reads are no mistake
  if (threadIdx.x == 0) init(&met, blockDim.x);
  cooperative_groups::this_thread_block().sync();
  met.arrive_and_wait();
  int value = 0;
  switch (threadIdx.x) {
    case 0: value = __ldg(from); break;
    case 1: value = __ldcg(from + 1); break;
    case 2: asm volatile("ld.global.s32 %0, [%1];" : "=r"(value) : "l"(from + 2)); break;
    case 3: value = cuda::atomic_ref<int>(from[3]).load(cuda::memory_order_relaxed); break;
    case 4: sums[0] += __float2half(1); break;
    case 5: value = cuda::atomic_ref<int, cuda::thread_scope_block>(tile[5]).load(); break;
    default: cuda::atomic_ref<int>(from[6]).store(1);
  }
  out[threadIdx.x] = value + 1;
}

int main() {
  int *from, *out;
  __half* sums;
  cudaMalloc(&from, 32 * sizeof(int));
  cudaMalloc(&sums, 32 * sizeof(__half));
  cudaMalloc(&out, 32 * sizeof(int));
  read<<<1, 32>>>(from, sums, out);
  cudaDeviceSynchronize();
}
