// expect: matrix-misuse
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: silent
// row: M1
// why: a fragment is multiplied that was never loaded
#include <mma.h>

#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void square(const half* a, float* c) {
  using namespace nvcuda::wmma;
  fragment<matrix_a, 16, 16, 16, half, row_major> fa;
  fragment<matrix_b, 16, 16, 16, half, col_major> fb;
  fragment<accumulator, 16, 16, 16, float> fc;
  fill_fragment(fc, 0.0f);
  load_matrix_sync(fb, a, 16);
  mma_sync(fc, fa, fb, fc);  // @A
  store_matrix_sync(c, fc, 16, mem_row_major);
}

int main() {
  half* a;
  float* c;
  CK(cudaMalloc(&a, 512 * sizeof(half)));
  CK(cudaMemset(a, 0, 512 * sizeof(half)));
  CK(cudaMalloc(&c, 512 * sizeof(float)));
  square<<<1, 32>>>(a, c);
  CK(cudaGetLastError());
  CK(cudaDeviceSynchronize());
  CK(cudaFree(a));
  CK(cudaFree(c));
  std::puts("PASS");
}
