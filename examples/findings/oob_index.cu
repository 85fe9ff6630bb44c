// SPDX-License-Identifier: Apache-2.0
//
// Indices that leave a row of a shared tile, an array in a structure and a local
// array, but no object.
#include <cstdio>

struct Particle {
  float position[3];
  float mass;
};

__global__ void transpose(float* out, const float* in, int shift) {
  __shared__ float tile[33][33];
  const int x = threadIdx.x, y = threadIdx.y;
  tile[y][x] = in[y * 32 + x];
  if (x == 0) tile[y][32] = tile[32][y] = 0;
  __syncthreads();
  out[x * 32 + y] = tile[y][x + shift];  // the row ends at 32
}

__global__ void move_by(Particle* all, float distance, int axes) {
  Particle& mine = all[threadIdx.x];
  for (int i = 0; i < axes; ++i) mine.position[i] += distance;
}

__global__ void histogram(int* out, const float* in, int n) {
  int bins[4] = {};
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    const int bin = in[i] * 4;
    bins[bin] += 1;  // 1.0f is bin 4, of 4
  }
  for (int bin = 0; bin < 4; ++bin) atomicAdd(&out[bin], bins[bin]);
}

int main() {
  static float values[1024];
  float* in;
  float* out;
  int* counts;
  Particle* all;
  cudaMalloc(&in, sizeof values);
  cudaMalloc(&out, sizeof values);
  cudaMalloc(&counts, 4 * sizeof(int));
  cudaMalloc(&all, 32 * sizeof(Particle));
  cudaMemcpy(in, values, sizeof values, cudaMemcpyHostToDevice);
  cudaMemset(counts, 0, 4 * sizeof(int));
  cudaMemset(all, 0, 32 * sizeof(Particle));
  const dim3 block(32, 32);
  transpose<<<1, block>>>(out, in, 1);
  move_by<<<1, 32>>>(all, 1.0f, 3);
  histogram<<<1, 32>>>(counts, in, 1024);

  values[1000] = 1.0f;
  cudaMemcpy(in, values, sizeof values, cudaMemcpyHostToDevice);
  transpose<<<1, block>>>(out, in, 2);
  move_by<<<1, 32>>>(all, 1.0f, 4);
  histogram<<<1, 32>>>(counts, in, 1024);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
