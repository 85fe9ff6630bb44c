// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: ok
// row: R8
// why: message passing through a volatile flag: a fence before the store, a fence behind the load
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void pass(int* payload, volatile int* flag, int* out) {
  const int t = threadIdx.x;
  if (blockIdx.x == 0) {
    payload[t] = 42 + t;
    __syncthreads();
    if (t == 0) {
      __threadfence();
      *flag = 1;
    }
  } else {
    if (t == 0) {
      while (*flag == 0) {
      }
      __threadfence();
    }
    __syncthreads();
    out[t] = payload[63 - t];
  }
}

int main() {
  int *p, *flag, *out, h[64], bad = 0;
  CK(cudaMalloc(&p, sizeof h));
  CK(cudaMalloc(&flag, sizeof(int)));
  CK(cudaMalloc(&out, sizeof h));
  CK(cudaMemset(flag, 0, sizeof(int)));
  pass<<<2, 64>>>(p, flag, out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 64; ++i) bad += h[i] != 105 - i;
  CK(cudaFree(p));
  CK(cudaFree(flag));
  CK(cudaFree(out));
  std::printf("%s\n", bad ? "FAIL" : "PASS");
  return bad != 0;
}
