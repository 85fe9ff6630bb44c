// SPDX-License-Identifier: Apache-2.0
//
// A sum of products on tensor cores, 1 - 1 + 2^-25, which GPUs before compute capability 9.0 cut off to 0.
#include <mma.h>

#include <cstdio>

using namespace nvcuda;

__global__ void product(const half* a, const half* b, float* c) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> left;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> right;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fill_fragment(sum, 0.0f);
  wmma::load_matrix_sync(left, a, 16);
  wmma::load_matrix_sync(right, b, 16);
  wmma::mma_sync(sum, left, right, sum);
  wmma::store_matrix_sync(c, sum, 16, wmma::mem_row_major);
}

int main() {
  half *a, *b;
  float* c;
  cudaMallocManaged(&a, 256 * sizeof(half));
  cudaMallocManaged(&b, 256 * sizeof(half));
  cudaMallocManaged(&c, 256 * sizeof(float));
  const float row[] = {1, -1, 0x1p-12f}, column[] = {1, 1, 0x1p-13f};
  for (int i = 0; i < 256; ++i) {
    a[i] = __float2half(i < 3 ? row[i] : 0);
    b[i] = __float2half(i < 3 ? column[i] : 0);
  }
  product<<<1, 32>>>(a, b, c);
  const cudaError_t status = cudaDeviceSynchronize();
  std::printf("1 - 1 + 2^-25 = %g (%s)\n", c[0], cudaGetErrorString(status));
}
