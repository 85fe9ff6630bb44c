// expect: oob-global
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: core
// hw: silent
// row: M1
// why: a pitched image is walked by blocks of 16 x 16; the guard asks for the column only
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void invert(unsigned char* image, size_t pitch, int width) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width) return;
  unsigned char* row = image + y * pitch;
  row[x] = static_cast<unsigned char>(255 - x);  // @A
}

int main() {
  unsigned char* image;
  size_t pitch;
  const int width = 40, height = 24;
  CK(cudaMallocPitch(&image, &pitch, width, height));
  CK(cudaMemset2D(image, pitch, 1, width, height));
  const dim3 block(16, 16);
  invert<<<dim3((width + 15) / 16, (height + 15) / 16), block>>>(image, pitch, width);
  CK(cudaGetLastError());
  std::printf("synchronise: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  cudaFree(image);
}
