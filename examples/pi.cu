// SPDX-License-Identifier: Apache-2.0
// Pi from random points: every thread has a subsequence of one cuRAND generator.
#include <curand_kernel.h>

#include <cstdio>

__global__ void seed_states(curandState* states, unsigned long long seed) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  curand_init(seed, i, 0, &states[i]);
}

__global__ void count_points(curandState* states, unsigned points, unsigned* inside) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  curandState state = states[i];
  unsigned mine = 0;
  for (unsigned k = 0; k < points; ++k) {
    float x = curand_uniform(&state), y = curand_uniform(&state);
    mine += x * x + y * y <= 1;
  }
  states[i] = state;
  atomicAdd(inside, mine);
}

int main() {
  const unsigned blocks = 64, threads = 256, points = 100;
  curandState* states;
  unsigned* inside;
  cudaMalloc(&states, blocks * threads * sizeof *states);
  cudaMallocManaged(&inside, sizeof *inside);
  *inside = 0;
  seed_states<<<blocks, threads>>>(states, 1234);
  count_points<<<blocks, threads>>>(states, points, inside);
  cudaDeviceSynchronize();
  std::printf("%u of %u points: pi is about %.4f\n", *inside, blocks * threads * points,
              4.0 * *inside / (blocks * threads * points));
  cudaFree(states);
  cudaFree(inside);
}
