// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: core
// hw: ok
// row: R8
// why: threads that poll with a block-scope atomic run in between a device-wide fence and must not narrow it
#include <cstdio>
#include <cstdlib>
#include <cuda/atomic>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void pass(int* payload, volatile int* ready, int* out) {
  __shared__ int open;
  if (threadIdx.x == 0) open = 0;
  __syncthreads();
  cuda::atomic_ref<int, cuda::thread_scope_block> gate(open);
  if (blockIdx.x == 1) {
    if (threadIdx.x != 0) return;
    while (*ready == 0) {
    }
    __threadfence();
    *out = *payload;
  } else if (threadIdx.x < 32) {
    while (gate.load() == 0) {
    }
  } else if (threadIdx.x == 32) {
    *payload = 42;
    __threadfence();
    *ready = 1;
    gate.store(1);
  }
}

int main() {
  int *payload, *ready, *out, h = 0;
  CK(cudaMalloc(&payload, sizeof(int)));
  CK(cudaMalloc(&ready, sizeof(int)));
  CK(cudaMalloc(&out, sizeof(int)));
  CK(cudaMemset(ready, 0, sizeof(int)));
  pass<<<2, 64>>>(payload, ready, out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(&h, out, sizeof(int), cudaMemcpyDeviceToHost));
  std::printf("%s\n", h == 42 ? "PASS" : "FAIL");
  return h == 42 ? 0 : 1;
}
