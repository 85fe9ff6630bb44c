// expect: invalid-free
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: core
// hw: fault
// row: M11
// why: a kernel calls free() with memory that cudaMalloc made
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

struct Node {
  int value;
  Node* next;
};

__global__ void drop(Node* head) {
  while (head != nullptr) {
    Node* next = head->next;
    free(head);  // @A
    head = next;
  }
}

int main() {
  Node* node;
  CK(cudaMalloc(&node, sizeof(Node)));
  CK(cudaMemset(node, 0, sizeof(Node)));
  drop<<<1, 1>>>(node);
  CK(cudaGetLastError());
  std::printf("synchronise: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
