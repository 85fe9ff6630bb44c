// SPDX-License-Identifier: Apache-2.0
//
// Two batches of an asynchronous copy, of which the first kernel waits for one only.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cstdio>
namespace cg = cooperative_groups;

__global__ void sum(const int* in, int* out) {
  __shared__ int s[2][64];
  auto block = cg::this_thread_block();
  const int t = block.thread_rank();
  cg::memcpy_async(block, s[0], in, sizeof s[0]);
  cg::memcpy_async(block, s[1], in + 64, sizeof s[1]);
  cg::wait_prior<1>(block);    // the newest batch may still be pending
  out[t] = s[0][t] + s[1][t];  // wrong
}

__global__ void sum_of_both(const int* in, int* out) {
  __shared__ int s[2][64];
  auto block = cg::this_thread_block();
  const int t = block.thread_rank();
  cg::memcpy_async(block, s[0], in, sizeof s[0]);
  cg::memcpy_async(block, s[1], in + 64, sizeof s[1]);
  cg::wait(block);
  out[t] = s[0][t] + s[1][t];
}

int main() {
  int *in, *out;
  cudaMalloc(&in, 128 * sizeof(int));
  cudaMalloc(&out, 64 * sizeof(int));
  cudaMemset(in, 0, 128 * sizeof(int));
  sum_of_both<<<1, 64>>>(in, out);
  sum<<<1, 64>>>(in, out);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
