// expect: use-after-free
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: core
// hw: fault
// row: M9
// why: the list of a round is freed at its end, and the struct in managed memory still points to it in the next
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

struct Work {
  int* items;
  int count;
};

__global__ void run(const Work* work, int* out) {
  if (int(threadIdx.x) < work->count) out[threadIdx.x] += work->items[threadIdx.x];  // @A
}

int main() {
  Work* work;
  int* out;
  CK(cudaMallocManaged(&work, sizeof(Work)));
  CK(cudaMalloc(&out, 32 * sizeof(int)));
  CK(cudaMemset(out, 0, 32 * sizeof(int)));
  CK(cudaMallocManaged(&work->items, 32 * sizeof(int)));
  work->count = 32;
  for (int i = 0; i < 32; ++i) work->items[i] = i;
  for (int round = 0; round < 2; ++round) {
    run<<<1, 32>>>(work, out);
    CK(cudaGetLastError());
    std::printf("round %d: %s\n", round, cudaGetErrorName(cudaDeviceSynchronize()));
    if (round == 0) CK(cudaFree(work->items));
  }
}
