// expect: oob-global
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: fault
// row: M1
// why: a view of a matrix by value has rows and columns exchanged, and its last row lies outside
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

struct View {
  float* data;
  int rows, columns;
  __device__ float& at(int r, int c) const { return data[r * columns + c]; }
};
__global__ void scale(View m, float by) {
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  const int r = blockIdx.y * blockDim.y + threadIdx.y;
  if (r < m.columns && c < m.rows) m.at(r, c) *= by;  // @A
}

int main() {
  const int rows = 40, columns = 24;
  float* data;
  CK(cudaMalloc(&data, rows * columns * sizeof(float)));
  CK(cudaMemset(data, 0, rows * columns * sizeof(float)));
  scale<<<dim3(5, 5), dim3(8, 8)>>>(View{data, rows, rows}, 2);
  CK(cudaDeviceSynchronize());
  std::printf("finished\n");
  CK(cudaFree(data));
}
