// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: ok
// row: R8
// why: a table is filled by the first block that comes and read by others behind an acquire
#include <cstdio>
#include <cstdlib>
#include <cuda/atomic>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__device__ int table[32];
__device__ cuda::atomic<int, cuda::thread_scope_device> state;
__device__ void fill_once() {
  int expected = 0;
  if (state.compare_exchange_strong(expected, 1, cuda::std::memory_order_relaxed)) {
    for (int i = 0; i < 32; ++i) table[i] = i * i;
    state.store(2, cuda::std::memory_order_release);
  } else {
    while (state.load(cuda::std::memory_order_acquire) != 2) {
    }
  }
}
__global__ void use(int* out) {
  if (threadIdx.x == 0) fill_once();
  __syncthreads();
  out[blockIdx.x * 32 + threadIdx.x] = table[threadIdx.x];
}

int main() {
  int h[96], *out;
  CK(cudaMalloc(&out, sizeof h));
  use<<<3, 32>>>(out);
  CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  std::puts(h[95] == 31 * 31 && h[33] == 1 ? "PASS" : "FAIL");
  CK(cudaFree(out));
}
