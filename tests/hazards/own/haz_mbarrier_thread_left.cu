// expect: deadlock
// SPDX-License-Identifier: Apache-2.0
// needs: sm_80
// tier: extra
// hw: hang
// row: S8
// why: sixteen threads return without arrive_and_drop, so the barrier waits for arrivals that never come
#include <cstdio>
#include <cstdlib>
#include <cuda/barrier>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

#pragma nv_diag_suppress static_var_with_dynamic_init
__global__ void uneven(int* out) {
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  if (threadIdx.x == 0) init(&bar, blockDim.x);
  __syncthreads();
  if (threadIdx.x >= 48) return;  // @B
  bar.arrive_and_wait();  // @A
  out[threadIdx.x] = 1;
}

int main() {
  int* out;
  CK(cudaMalloc(&out, 64 * sizeof(int)));
  uneven<<<1, 64>>>(out);
  CK(cudaGetLastError());
  CK(cudaDeviceSynchronize());
  std::printf("finished\n");
  CK(cudaFree(out));
}
