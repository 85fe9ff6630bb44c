// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: core
// hw: ok
// why: release store and acquire load at device scope between two blocks
#include <cstdio>
#include <cstdlib>
#include <cuda/atomic>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

using flag_ref = cuda::atomic_ref<int, cuda::thread_scope_device>;
__global__ void pass(int* payload, int* flag, int* out) {
  if (threadIdx.x != 0) return;
  flag_ref f(*flag);
  if (blockIdx.x == 0) {
    *payload = 42;
    f.store(1, cuda::std::memory_order_release);
  } else {
    while (f.load(cuda::std::memory_order_acquire) == 0) {
    }
    *out = *payload;
  }
}

int main() {
  int *p, h = 0;
  CK(cudaMalloc(&p, 3 * sizeof(int)));
  CK(cudaMemset(p, 0, 3 * sizeof(int)));
  pass<<<2, 32>>>(p, p + 1, p + 2);
  CK(cudaGetLastError());
  CK(cudaMemcpy(&h, p + 2, sizeof(int), cudaMemcpyDeviceToHost));
  CK(cudaFree(p));
  std::printf("%s\n", h != 42 ? "FAIL" : "PASS");
  return h != 42;
}
