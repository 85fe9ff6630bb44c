// expect: race-global
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: silent
// row: R9
// why: blocks keep a common maximum by a compare-and-swap that reaches their own block only
#include <cuda/atomic>
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

template <class T>
struct Best {
  T value;
};
__device__ __noinline__ void raise(Best<int>* best, int to) {
  cuda::atomic_ref<int, cuda::thread_scope_block> value(best->value);
  int seen = value.load(cuda::memory_order_relaxed);  // @A
  while (seen < to && !value.compare_exchange_weak(seen, to, cuda::memory_order_relaxed)) {  // @B
  }
}
__global__ void maximum(const int* in, Best<int>* best) {
  if (threadIdx.x == 0) raise(best, in[blockIdx.x]);
}

int main() {
  int h[5] = {3, 9, 1, 7, 5}, *in;
  Best<int>* best;
  CK(cudaMalloc(&in, sizeof h));
  CK(cudaMalloc(&best, sizeof *best));
  CK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  CK(cudaMemset(best, 0, sizeof *best));
  maximum<<<5, 32>>>(in, best);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, best, sizeof(int), cudaMemcpyDeviceToHost));
  std::printf("%d\n", h[0]);
  CK(cudaFree(in));
  CK(cudaFree(best));
  return 0;
}
