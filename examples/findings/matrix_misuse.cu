// SPDX-License-Identifier: Apache-2.0
//
// A warp loads a matrix whose rows are 17 elements apart; corrected, 24 elements, which are a multiple of 16 bytes.
#include <mma.h>

#include <cstdio>

using namespace nvcuda;

template <int kPitch>
__global__ void square(const half* a, float* out) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> left;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> right;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fill_fragment(sum, 0.0f);
  wmma::load_matrix_sync(left, a, kPitch);
  wmma::load_matrix_sync(right, a, kPitch);
  wmma::mma_sync(sum, left, right, sum);
  wmma::store_matrix_sync(out, sum, 16, wmma::mem_row_major);
}

int main() {
  half* a;
  float* out;
  cudaMalloc(&a, 16 * 24 * sizeof(half));
  cudaMalloc(&out, 16 * 16 * sizeof(float));
  cudaMemset(a, 0, 16 * 24 * sizeof(half));
  square<24><<<1, 32>>>(a, out);
  square<17><<<1, 32>>>(a, out);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
