// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: ok
// row: R8
// why: tasks push further tasks into a ring with ready flags; a counter of open tasks ends the loop
#include <cstdio>
#include <cstdlib>
#include <cuda/atomic>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

struct Queue {
  cuda::atomic<int, cuda::thread_scope_device> head{0}, tail{0}, open{0};
  int task[256];
  cuda::atomic<int, cuda::thread_scope_device> ready[256];
};
__global__ void setup(Queue* q) {
  const int t = threadIdx.x;
  q->ready[t].store(0, cuda::memory_order_relaxed);
  if (t == 0) {
    q->head.store(0);
    q->tail.store(1);
    q->open.store(1);
    q->task[0] = 6;
    q->ready[0].store(1, cuda::memory_order_release);
  }
}
__global__ void run(Queue* q, int* sum) {
  if (threadIdx.x != 0) return;
  while (q->open.load(cuda::memory_order_acquire) > 0) {
    int at = q->head.load(cuda::memory_order_relaxed);
    if (at >= q->tail.load(cuda::memory_order_relaxed)) continue;
    if (!q->head.compare_exchange_strong(at, at + 1, cuda::memory_order_relaxed)) continue;
    while (q->ready[at].load(cuda::memory_order_acquire) == 0) {
    }
    const int depth = q->task[at];
    atomicAdd(sum, 1);
    if (depth > 0) {
      q->open.fetch_add(2, cuda::memory_order_relaxed);
      for (int k = 0; k < 2; ++k) {
        const int to = q->tail.fetch_add(1, cuda::memory_order_relaxed);
        q->task[to] = depth - 1;
        q->ready[to].store(1, cuda::memory_order_release);
      }
    }
    q->open.fetch_sub(1, cuda::memory_order_release);
  }
}
int main() {
  Queue* q;
  int *sum, h = 0;
  CK(cudaMalloc(&q, sizeof *q));
  CK(cudaMalloc(&sum, sizeof h));
  CK(cudaMemset(sum, 0, sizeof h));
  setup<<<1, 256>>>(q);
  run<<<4, 32>>>(q, sum);
  CK(cudaGetLastError());
  CK(cudaMemcpy(&h, sum, sizeof h, cudaMemcpyDeviceToHost));
  CK(cudaFree(q));
  CK(cudaFree(sum));
  std::printf("%s\n", h != 127 ? "FAIL" : "PASS");
  return h != 127;
}
