// SPDX-License-Identifier: Apache-2.0
// Arrays that an index is outside of have the name that the line has for them.
#include <cstdio>

struct Particle {
  float position[3];
  float mass[5];
};

__global__ void read(Particle* all, int* out, int i) {
  __shared__ int tile[4][8];
  int bins[6] = {1, 2, 3, 4, 5, out[1]};
  tile[threadIdx.x / 8][threadIdx.x % 8] = 1;
  __syncthreads();
  Particle& mine = all[1];
  if (threadIdx.x != 0) return;
  bins[out[0]] = out[2];
  out[0] = tile[2][i + 8];
  out[1] = mine.position[i + 3];
  out[2] = bins[i + 6];
}

int main() {
  Particle* all = nullptr;
  int* out = nullptr;
  cudaMalloc(&all, 4 * sizeof(Particle));
  cudaMalloc(&out, 4 * sizeof(int));
  cudaMemset(all, 0, 4 * sizeof(Particle));
  cudaMemset(out, 0, 4 * sizeof(int));
  read<<<1, 32>>>(all, out, 0);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
