// expect: race-shared
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: silent
// row: R1
// why: the next tile is loaded while slower threads still multiply with the last one
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

constexpr int N = 16;
__global__ void product(const float* a, const float* b, float* c) {
  __shared__ float y[8][8];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * 8 + ty, col = blockIdx.x * 8 + tx;
  float sum = 0;
  for (int k = 0; k < N; k += 8) {
    y[ty][tx] = b[(k + ty) * N + col];  // @B
    __syncthreads();
    for (int i = 0; i < 8; ++i)
      sum += a[row * N + k + i] * y[i][tx];  // @A
    __syncwarp();                       // needs __syncthreads
  }
  c[row * N + col] = sum;
}

int main() {
  float h[N * N], *a, *b, *c;
  for (int i = 0; i < N * N; ++i) h[i] = float(i % 5);
  CK(cudaMalloc(&a, sizeof h));
  CK(cudaMalloc(&b, sizeof h));
  CK(cudaMalloc(&c, sizeof h));
  CK(cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice));
  CK(cudaMemcpy(b, h, sizeof h, cudaMemcpyHostToDevice));
  product<<<dim3(2, 2), dim3(8, 8)>>>(a, b, c);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, c, sizeof h, cudaMemcpyDeviceToHost));
  std::printf("c[0] = %g\n", h[0]);
  CK(cudaFree(a));
  CK(cudaFree(b));
  CK(cudaFree(c));
}
