// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: core
// hw: ok
// row: M2
// why: each block leaves the address of its shared table in a global pointer of its own, and only its threads read it
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__device__ const int* tables[4];

__device__ int look_up(int i) {
  return tables[blockIdx.x][i];
}
__global__ void reverse(int* out) {
  __shared__ int squares[32];
  const int t = threadIdx.x;
  squares[t] = t * t;
  if (t == 0) tables[blockIdx.x] = squares;
  __syncthreads();
  out[blockIdx.x * 32 + t] = look_up(31 - t);
}

int main() {
  int h[128], *out;
  CK(cudaMalloc(&out, sizeof h));
  for (int round = 0; round < 2; ++round) reverse<<<4, 32>>>(out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  std::printf("%s\n", h[3] == 28 * 28 && h[127] == 0 ? "PASS" : "FAIL");
  CK(cudaFree(out));
}
