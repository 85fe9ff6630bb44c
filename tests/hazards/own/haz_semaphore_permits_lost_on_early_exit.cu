// expect: deadlock
// SPDX-License-Identifier: Apache-2.0
// needs: sm_80
// tier: extra
// hw: hang
// row: S8
// why: a warp that finds nothing to do keeps the permit of a semaphore the others wait for
#include <cstdio>
#include <cstdlib>
#include <cuda/semaphore>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

#pragma nv_diag_suppress static_var_with_dynamic_init
__global__ void limited(const int* work, int* out) {
  __shared__ cuda::counting_semaphore<cuda::thread_scope_block, 1> permits;
  if (threadIdx.x == 0) new (&permits) cuda::counting_semaphore<cuda::thread_scope_block, 1>(1);
  __syncthreads();
  if (threadIdx.x % 32 != 0) return;
  permits.acquire();  // @A
  const int w = threadIdx.x / 32;
  if (work[w] == 0) return;
  out[w] = work[w];
  permits.release();
}

int main() {
  int h[4] = {1, 0, 2, 0}, *work, *out;
  CK(cudaMalloc(&work, sizeof h));
  CK(cudaMalloc(&out, sizeof h));
  CK(cudaMemcpy(work, h, sizeof h, cudaMemcpyHostToDevice));
  limited<<<1, 128>>>(work, out);
  CK(cudaDeviceSynchronize());
  std::printf("finished\n");
  CK(cudaFree(work));
  CK(cudaFree(out));
}
