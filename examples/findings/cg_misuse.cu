// SPDX-License-Identifier: Apache-2.0
//
// A kernel that synchronises its grid, launched cooperatively, as it has to be, and then with <<<>>>.
#include <cooperative_groups.h>
#include <cstdio>
namespace cg = cooperative_groups;

__global__ void step(int* a, int* b) {
  auto grid = cg::this_grid();
  const int i = grid.thread_rank();
  a[i] = i;
  grid.sync();
  b[i] = a[63 - i];
}

int main() {
  int *a, *b;
  cudaMalloc(&a, 64 * sizeof(int));
  cudaMalloc(&b, 64 * sizeof(int));
  void* args[] = {&a, &b};
  cudaLaunchCooperativeKernel(step, dim3(2), dim3(32), args, 0, nullptr);
  step<<<2, 32>>>(a, b);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
