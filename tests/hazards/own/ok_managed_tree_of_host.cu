// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: ok
// row: M6
// why: the host builds a tree in managed memory with members that nobody sets, and kernels change it in place
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

struct Node {
  int key;
  double weight;
  Node *left, *right;
  char label[24];
};
Node* made(int from, int to) {
  if (from >= to) return nullptr;
  Node* node;
  CK(cudaMallocManaged(&node, sizeof *node));
  node->key = (from + to) / 2;
  node->weight = 1;
  node->left = made(from, node->key);
  node->right = made(node->key + 1, to);
  return node;
}
__device__ __noinline__ const Node* find(const Node* node, int key) {
  while (node != nullptr && node->key != key) node = key < node->key ? node->left : node->right;
  return node;
}
__global__ void raise(Node* root, int n) {
  const int key = blockIdx.x * blockDim.x + threadIdx.x;
  if (key >= n) return;
  Node* mine = const_cast<Node*>(find(root, key));
  mine->weight += key;
}
double total(Node* node) {
  if (node == nullptr) return 0;
  const Node copy = *node;
  CK(cudaFree(node));
  return copy.weight + total(copy.left) + total(copy.right);
}

int main() {
  Node* root = made(0, 40);
  raise<<<2, 32>>>(root, 40);
  CK(cudaGetLastError());
  CK(cudaDeviceSynchronize());
  raise<<<2, 32>>>(root, 40);
  CK(cudaDeviceSynchronize());
  const int bad = total(root) != 40 + 2 * 780;
  std::printf("%s\n", bad ? "FAIL" : "PASS");
  return bad != 0;
}
