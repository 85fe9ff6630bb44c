// expect: uninit-global
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: core
// also-ok: oob-global
// hw: silent
// row: M6
// why: the last quarter of a table of indices was never copied; what is stored by such an index faults, and the index is the cause
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__device__ __noinline__ int slot_of(const int* table, int i) {
  return table[i];  // @A
}
__global__ void scatter(const int* table, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[slot_of(table, i)] = float(i);
}

int main() {
  constexpr int n = 128;
  int h[n], *table;
  float* out;
  for (int i = 0; i < n; ++i) h[i] = n - 1 - i;
  CK(cudaMalloc(&table, sizeof h));
  CK(cudaMalloc(&out, n * sizeof(float)));
  CK(cudaMemset(out, 0, n * sizeof(float)));
  CK(cudaMemcpy(table, h, 3 * sizeof h / 4, cudaMemcpyHostToDevice));
  scatter<<<2, 64>>>(table, out, n);
  CK(cudaGetLastError());
  CK(cudaDeviceSynchronize());
  std::printf("finished\n");
  CK(cudaFree(table));
  CK(cudaFree(out));
  return 0;
}
