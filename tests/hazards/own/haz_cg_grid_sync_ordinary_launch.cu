// expect: cg-misuse
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: core
// also-ok: trap,launch-error
// hw: fault
// row: C1
// why: the kernel synchronises its grid, the launch is an ordinary one
#include <cstdio>
#include <cstdlib>
#include <cooperative_groups.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

namespace cg = cooperative_groups;
__global__ void exchange(int* a, int* b) {
  auto grid = cg::this_grid();
  const int i = grid.thread_rank();
  a[i] = i;
  grid.sync();  // @A
  b[i] = a[63 - i];
}

int main() {
  int *a, *b;
  CK(cudaMalloc(&a, 64 * sizeof(int)));
  CK(cudaMalloc(&b, 64 * sizeof(int)));
  exchange<<<2, 32>>>(a, b);
  CK(cudaGetLastError());
  CK(cudaDeviceSynchronize());
  std::printf("finished\n");
  CK(cudaFree(a));
  CK(cudaFree(b));
}
