// expect: use-after-free
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// also-ok: oob-global
// hw: fault
// row: M9
// why: a table in device memory still holds the address of a row that the host has freed
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void read_rows(int* const* rows, int* out) {
  out[threadIdx.x] = rows[threadIdx.x][0];  // @A
}

int main() {
  int *h[4], **rows, *out;
  for (int*& row : h) {
    CK(cudaMalloc(&row, 16 * sizeof(int)));
    CK(cudaMemset(row, 0, 16 * sizeof(int)));
  }
  CK(cudaMalloc(&rows, sizeof h));
  CK(cudaMalloc(&out, 4 * sizeof(int)));
  CK(cudaMemcpy(rows, h, sizeof h, cudaMemcpyHostToDevice));
  CK(cudaFree(h[2]));
  read_rows<<<1, 4>>>(rows, out);
  CK(cudaGetLastError());
  CK(cudaDeviceSynchronize());
  std::printf("finished\n");
}
