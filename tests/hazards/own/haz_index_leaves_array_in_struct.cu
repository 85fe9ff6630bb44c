// expect: oob-index
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: silent
// row: M3
// why: a loop over four weights, of which the structure has three; the fourth is its count
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

struct Cell {
  float weights[3];
  int count;
};

__global__ void normalise(Cell* cells, int weights) {
  Cell& cell = cells[blockIdx.x * blockDim.x + threadIdx.x];
  for (int i = 0; i < weights; ++i) {
    cell.weights[i] = cell.weights[i] / 2;  // @A
  }
}

int main() {
  Cell h[64], *cells;
  for (Cell& cell : h) cell = {{1, 2, 3}, 4};
  CK(cudaMalloc(&cells, sizeof h));
  CK(cudaMemcpy(cells, h, sizeof h, cudaMemcpyHostToDevice));
  normalise<<<2, 32>>>(cells, 4);
  CK(cudaGetLastError());
  CK(cudaDeviceSynchronize());
  CK(cudaMemcpy(h, cells, sizeof h, cudaMemcpyDeviceToHost));
  std::printf("finished, %d\n", h[0].count);
  CK(cudaFree(cells));
}
