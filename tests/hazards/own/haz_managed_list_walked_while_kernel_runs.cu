// expect: race-global
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: silent
// row: R12
// why: the host appends to a managed list that the kernel walks
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

struct Node {
  int value;
  Node* next;
};
__global__ void sum(const Node* head, int* out) {
  int total = 0;
  for (const Node* at = head; at != nullptr; at = at->next) total += at->value;  // @A
  *out = total;
}

int main() {
  Node* nodes;
  int* out;
  CK(cudaMallocManaged(&nodes, 4 * sizeof(Node)));
  CK(cudaMallocManaged(&out, sizeof(int)));
  nodes[0] = {1, &nodes[1]};
  nodes[1] = {2, nullptr};
  sum<<<1, 1>>>(nodes, out);
  nodes[2] = {3, nullptr};
  nodes[1].next = &nodes[2];  // @B
  CK(cudaDeviceSynchronize());
  std::printf("total %d\n", *out);
  CK(cudaFree(nodes));
  CK(cudaFree(out));
}
