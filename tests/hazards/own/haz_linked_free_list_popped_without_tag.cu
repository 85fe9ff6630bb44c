// expect: race-global
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: silent
// row: R8
// why: a free list on the device reads the next link plainly while others write theirs
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

struct Cell {
  int next;
  int value;
};
__device__ int pop(Cell* cells, int* head) {
  int top = atomicAdd(head, 0);
  while (top >= 0) {
    const int next = cells[top].next;  // @B
    const int seen = atomicCAS(head, top, next);
    if (seen == top) return top;
    top = seen;
  }
  return -1;
}
__device__ void push(Cell* cells, int* head, int cell) {
  int top = atomicAdd(head, 0);
  for (;;) {
    cells[cell].next = top;  // @A
    const int seen = atomicCAS(head, top, cell);
    if (seen == top) return;
    top = seen;
  }
}
__global__ void churn(Cell* cells, int* head) {
  const int mine = pop(cells, head);
  if (mine >= 0) push(cells, head, mine);
}

int main() {
  Cell h[64], *cells;
  int first = 0, *head;
  for (int i = 0; i < 64; ++i) h[i] = {i + 1 < 64 ? i + 1 : -1, 0};
  CK(cudaMalloc(&cells, sizeof h));
  CK(cudaMalloc(&head, sizeof first));
  CK(cudaMemcpy(cells, h, sizeof h, cudaMemcpyHostToDevice));
  CK(cudaMemcpy(head, &first, sizeof first, cudaMemcpyHostToDevice));
  churn<<<2, 32>>>(cells, head);
  CK(cudaDeviceSynchronize());
  std::printf("finished\n");
  CK(cudaFree(cells));
  CK(cudaFree(head));
}
