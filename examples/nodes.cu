// SPDX-License-Identifier: Apache-2.0
// Races on members of structures, in shared memory and behind a parameter: reports name them as the source does.
#include <cstdio>

struct Node {
  int id;
  float weights[4];
};

__global__ void settle(Node* nodes) {
  __shared__ Node best[2];
  const int t = threadIdx.x;
  best[t / 32].weights[3] = nodes[t].id + t;
  nodes[t / 2].weights[1] = t;
}

int main() {
  Node* nodes = nullptr;
  cudaMalloc(&nodes, 64 * sizeof(Node));
  cudaMemset(nodes, 0, 64 * sizeof(Node));
  settle<<<1, 64>>>(nodes);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(nodes);
}
