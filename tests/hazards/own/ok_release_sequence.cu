// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: ok
// row: R8
// why: three blocks: the middle one adds to the flag with a read-modify-write, which carries the first one's release on
#include <cstdio>
#include <cstdlib>
#include <cuda/atomic>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

using ref = cuda::atomic_ref<int, cuda::thread_scope_device>;
__global__ void chain(int* a, int* b, int* flag, int* out) {
  ref f(*flag);
  if (blockIdx.x == 0) {
    *a = 10;
    f.fetch_add(1, cuda::std::memory_order_release);
  } else if (blockIdx.x == 1) {
    *b = 20;
    f.fetch_add(1, cuda::std::memory_order_acq_rel);
  } else {
    while (f.load(cuda::std::memory_order_acquire) != 2) {
    }
    *out = *a + *b;
  }
}

int main() {
  int *p, h = 0;
  CK(cudaMalloc(&p, 4 * sizeof(int)));
  CK(cudaMemset(p, 0, 4 * sizeof(int)));
  chain<<<3, 1>>>(p, p + 1, p + 2, p + 3);
  CK(cudaGetLastError());
  CK(cudaMemcpy(&h, p + 3, sizeof(int), cudaMemcpyDeviceToHost));
  CK(cudaFree(p));
  std::printf("%s\n", h != 30 ? "FAIL" : "PASS");
  return h != 30;
}
