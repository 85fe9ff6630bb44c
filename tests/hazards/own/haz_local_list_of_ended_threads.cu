// expect: local-escape
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: silent
// row: M13
// why: a list has nodes on the stacks of threads that have ended, and the same kernel writes to them when it runs again
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

struct Node {
  int value;
  Node* next;
};

__device__ __noinline__ void link(Node** slots, Node* node) { slots[threadIdx.x] = node; }

__global__ void step(Node** slots, int round, int* out) {
  Node mine = {int(threadIdx.x), nullptr};
  if (round == 0) link(slots, &mine);
  __syncthreads();
  if (round == 1) slots[threadIdx.x]->value = 7;  // @A
  __syncthreads();
  out[threadIdx.x] = mine.value;
}

int main() {
  Node** slots;
  int* out;
  CK(cudaMalloc(&slots, 64 * sizeof(Node*)));
  CK(cudaMalloc(&out, 64 * sizeof(int)));
  for (int round = 0; round < 2; ++round) step<<<1, 64>>>(slots, round, out);
  CK(cudaDeviceSynchronize());
}
