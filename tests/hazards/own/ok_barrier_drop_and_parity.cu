// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_90
// tier: extra
// hw: ok
// row: S8
// why: threads that leave early drop out of the cuda::barrier, the others wait by parity
#include <cstdio>
#include <cstdlib>
#include <cuda/barrier>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

#pragma nv_diag_suppress static_var_with_dynamic_init
__global__ void shrink(int* out) {
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  __shared__ int s[2][64];
  const int t = threadIdx.x;
  if (t == 0) init(&bar, blockDim.x);
  __syncthreads();
  s[0][t] = t;
  if (t >= 48) {
    bar.arrive_and_drop();
    return;
  }
  (void)bar.arrive();
  bar.wait_parity(false);
  const int v = s[0][63 - t];
  s[1][t] = v;
  (void)bar.arrive();
  bar.wait_parity(true);
  out[t] = s[1][47 - t];
}

int main() {
  int h[48], *out, bad = 0;
  CK(cudaMalloc(&out, sizeof h));
  shrink<<<1, 64>>>(out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 48; ++i) bad += h[i] != 16 + i;
  CK(cudaFree(out));
  std::printf("%s\n", bad ? "FAIL" : "PASS");
  return bad != 0;
}
