// SPDX-License-Identifier: Apache-2.0
//
// Threads that end by `exit` from within functions, in one part of a branch, before barriers and shuffles of the
// others.
#include "common.h"

__device__ int left = 0;

__device__ __noinline__ int leave_where(bool leaves, int depth) {
  if (depth > 0) return leave_where(leaves, depth - 1) + 1;
  if (leaves) asm volatile("exit;");
  return 1;
}

__global__ void odd_threads_leave(int* out) {
  const int depth = leave_where(threadIdx.x % 2 == 1, threadIdx.x % 4);
  __syncthreads();
  const int sum = __reduce_add_sync(__activemask(), depth);
  out[threadIdx.x] = sum;
  atomicAdd(&left, 1);
}

__global__ void all_leave(int* out) {
  for (int i = 0;; ++i) {
    if (i == static_cast<int>(threadIdx.x)) asm volatile("{ exit; }");
    ++out[threadIdx.x];
  }
}

int main() {
  int* out;
  CHECK(cudaMallocManaged(&out, 64 * sizeof(int)));
  for (int i = 0; i < 64; ++i) out[i] = 0;
  odd_threads_leave<<<1, 64>>>(out);
  CHECK(cudaDeviceSynchronize());
  int remaining = 0;
  CHECK(cudaMemcpyFromSymbol(&remaining, left, sizeof remaining));
  bool good = remaining == 32;
  for (int i = 0; i < 64; ++i) good = good && out[i] == (i % 2 == 0 ? 32 : 0);
  for (int i = 0; i < 64; ++i) out[i] = 0;
  all_leave<<<1, 64>>>(out);
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < 64; ++i) good = good && out[i] == i;
  printf(good ? "PASS\n" : "FAIL\n");
  return good ? 0 : 1;
}
