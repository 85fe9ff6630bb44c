// expect: race-shared
// SPDX-License-Identifier: Apache-2.0
// needs: sm_90
// tier: extra
// also-ok: uninit-shared,deadlock,livelock
// hw: may-hang
// row: S8
// why: the parity is that of the phase before the first: who comes early does not wait, who comes late waits for ever
#include <cstdio>
#include <cstdlib>
#include <cuda/barrier>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

#pragma nv_diag_suppress static_var_with_dynamic_init
__global__ void reverse(int* out) {
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  __shared__ int s[64];
  const int t = threadIdx.x;
  if (t == 0) init(&bar, 64);
  __syncthreads();
  s[t] = t;            // @A
  (void)bar.arrive();
  bar.wait_parity(true);
  out[t] = s[63 - t];  // @B  needs wait_parity(false)
}

int main() {
  int h[64], *out;
  CK(cudaMalloc(&out, sizeof h));
  reverse<<<1, 64>>>(out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  std::printf("out[0] = %d\n", h[0]);
  CK(cudaFree(out));
}
