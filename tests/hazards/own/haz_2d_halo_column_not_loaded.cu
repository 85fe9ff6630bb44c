// expect: uninit-shared
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: silent
// row: M7
// why: a 2D stencil loads rows of its halo and forgets the columns
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

constexpr int kTile = 8;
__global__ void laplace(const float* in, float* out, int width, int height) {
  __shared__ float tile[kTile + 2][kTile + 2];
  const int x = blockIdx.x * kTile + threadIdx.x, y = blockIdx.y * kTile + threadIdx.y;
  const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  const auto at = [&](int r, int c) { return r >= 0 && r < height && c >= 0 && c < width ? in[r * width + c] : 0.0f; };
  tile[ty][tx] = at(y, x);
  if (threadIdx.y == 0) tile[0][tx] = at(y - 1, x);
  if (threadIdx.y == kTile - 1) tile[kTile + 1][tx] = at(y + 1, x);
  __syncthreads();
  if (x < width && y < height) {
    out[y * width + x] = tile[ty - 1][tx] + tile[ty + 1][tx] - 4 * tile[ty][tx] +
                         tile[ty][tx - 1] + tile[ty][tx + 1];  // @A
  }
}

int main() {
  const int w = 19, h = 13;
  float *in, *out;
  CK(cudaMalloc(&in, w * h * sizeof(float)));
  CK(cudaMalloc(&out, w * h * sizeof(float)));
  CK(cudaMemset(in, 0, w * h * sizeof(float)));
  laplace<<<dim3(3, 2), dim3(kTile, kTile)>>>(in, out, w, h);
  CK(cudaDeviceSynchronize());
  std::printf("finished\n");
  CK(cudaFree(in));
  CK(cudaFree(out));
}
