// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: core
// hw: ok
// row: M11
// why: threads allocate nodes and push them on a list with atomicExch; a later launch walks the list and frees every node
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

struct Node {
  Node* next;
  int value;
};
__device__ Node* head;
__global__ void push() {
  Node* n = static_cast<Node*>(malloc(sizeof(Node)));
  if (n == nullptr) return;
  n->value = int(blockIdx.x * blockDim.x + threadIdx.x);
  static_assert(sizeof(Node*) == sizeof(unsigned long long), "");
  auto* slot = reinterpret_cast<unsigned long long*>(&head);
  n->next = reinterpret_cast<Node*>(atomicExch(slot, reinterpret_cast<unsigned long long>(n)));
}
__global__ void drain(int* out) {
  int sum = 0;
  while (head != nullptr) {
    Node* n = head;
    head = n->next;
    sum += n->value;
    free(n);
  }
  *out = sum;
}

int main() {
  int r = 0, *out;
  CK(cudaMalloc(&out, sizeof r));
  push<<<2, 32>>>();
  drain<<<1, 1>>>(out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(&r, out, sizeof r, cudaMemcpyDeviceToHost));
  CK(cudaFree(out));
  std::printf("%s\n", r != 2016 ? "FAIL" : "PASS");
  return r != 2016;
}
