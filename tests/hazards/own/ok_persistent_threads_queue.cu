// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: ok
// row: F1
// why: blocks that stay draw work from a counter; each item is written by one block and read by a later launch
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__device__ int next_item;
__global__ void work(const int* in, int* out, int n) {
  __shared__ int item;
  for (;;) {
    if (threadIdx.x == 0) item = atomicAdd(&next_item, 1);
    __syncthreads();
    const int mine = item;
    __syncthreads();
    if (mine >= n) return;
    out[mine * 32 + threadIdx.x] = in[mine] * 2;
  }
}
int main() {
  const int n = 20;
  int *in, *out, h[n * 32], bad = 0;
  for (int i = 0; i < n; ++i) h[i] = i;
  CK(cudaMalloc(&in, n * sizeof(int)));
  CK(cudaMalloc(&out, sizeof h));
  CK(cudaMemcpy(in, h, n * sizeof(int), cudaMemcpyHostToDevice));
  work<<<4, 32>>>(in, out, n);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  for (int i = 0; i < n * 32; ++i) bad += h[i] != i / 32 * 2;
  CK(cudaFree(in));
  CK(cudaFree(out));
  std::printf("%s\n", bad ? "FAIL" : "PASS");
  return bad != 0;
}
