// expect: race-shared
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: core
// hw: silent
// row: R1
// why: a tile class loads and transposes; the barrier between its two member functions is missing
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

template <typename T, int N>
struct Tile {
  T data[N][N + 1];

  __device__ void load(const T* from, int pitch) {
    data[threadIdx.y][threadIdx.x] = from[threadIdx.y * pitch + threadIdx.x];  // @A
  }
  __device__ T transposed() const {
    return data[threadIdx.x][threadIdx.y];  // @B
  }
};

template <typename T, int N>
__global__ void transpose(const T* in, T* out) {
  __shared__ Tile<T, N> tile;
  tile.load(in, N);
  out[threadIdx.y * N + threadIdx.x] = tile.transposed();
}

int main() {
  float h[256], r[256], *in, *out;
  for (int i = 0; i < 256; ++i) h[i] = float(i);
  CK(cudaMalloc(&in, sizeof h));
  CK(cudaMalloc(&out, sizeof r));
  CK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  transpose<float, 16><<<1, dim3(16, 16)>>>(in, out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(r, out, sizeof r, cudaMemcpyDeviceToHost));
  std::printf("r[1] = %g\n", r[1]);
  CK(cudaFree(in));
  CK(cudaFree(out));
}
