// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: ok
// row: R9
// why: atomics, flag and fence of block scope on global memory, each word used by one block only
#include <cstdio>
#include <cstdlib>
#include <cuda/atomic>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void pass(int* words, int* out) {
  int* payload = words + 3 * blockIdx.x;
  volatile int* flag = payload + 1;
  int* count = payload + 2;
  if (threadIdx.x == 0) {
    *payload = int(blockIdx.x) + 7;
    __threadfence_block();
    *flag = 1;
  } else {
    while (*flag == 0) {
    }
    __threadfence_block();
    atomicAdd_block(count, *payload);
  }
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = *count;
}

int main() {
  int *words, *out, h[2];
  CK(cudaMalloc(&words, 6 * sizeof(int)));
  CK(cudaMalloc(&out, sizeof h));
  CK(cudaMemset(words, 0, 6 * sizeof(int)));
  pass<<<2, 64>>>(words, out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  CK(cudaFree(words));
  CK(cudaFree(out));
  const bool bad = h[0] != 63 * 7 || h[1] != 63 * 8;
  std::printf("%s\n", bad ? "FAIL" : "PASS");
  return bad;
}
