// SPDX-License-Identifier: Apache-2.0
//
// Recursion along a list that leads back to itself; corrected, a loop with a bound.
#include <cstdio>

__device__ int depth(const int* tree, int node) {
  volatile int path[64] = {node};
  if (node < 0) return 0;
  return 1 + depth(tree, tree[path[0]]);  // a cycle in the data: never ends
}

__global__ void measure(const int* tree, int* out) {
  *out = depth(tree, 0);
}

__global__ void measure_up_to(const int* tree, int* out, int limit) {
  int depth = 0;
  for (int node = 0; node >= 0 && depth < limit; node = tree[node]) ++depth;
  *out = depth;
}

int main() {
  int *tree, *out;
  cudaMalloc(&tree, sizeof(int));
  cudaMalloc(&out, sizeof(int));
  cudaMemset(tree, 0, sizeof(int));
  measure_up_to<<<1, 1>>>(tree, out, 100);
  measure<<<1, 1>>>(tree, out);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
