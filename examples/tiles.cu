// SPDX-License-Identifier: Apache-2.0
//
// A matrix product by tiles without the barrier at the end of each iteration: both tiles are overwritten too early.
#include <cstdio>

constexpr int kSize = 32, kTile = 16;

__global__ void product(const float* a, const float* b, float* c) {
  __shared__ float s[kTile][kTile], t[kTile][kTile];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * kTile + y, column = blockIdx.x * kTile + x;
  float sum = 0;
  for (int first = 0; first < kSize; first += kTile) {
    s[y][x] = a[row * kSize + first + x];
    t[y][x] = b[(first + y) * kSize + column];
    __syncthreads();
    for (int k = 0; k < kTile; ++k) sum += s[y][k] * t[k][x];
  }
  c[row * kSize + column] = sum;
}

int main() {
  float *a, *b, *c;
  for (float** matrix : {&a, &b, &c}) cudaMallocManaged(matrix, kSize * kSize * sizeof(float));
  for (int i = 0; i < kSize * kSize; ++i) a[i] = b[i] = 1;
  product<<<dim3(kSize / kTile, kSize / kTile), dim3(kTile, kTile)>>>(a, b, c);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  for (float* matrix : {a, b, c}) cudaFree(matrix);
}
