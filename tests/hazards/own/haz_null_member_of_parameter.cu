// expect: oob-global
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: core
// hw: fault
// row: M14
// why: a struct of pointers is passed by value, and one of its members was never set
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

struct Particles {
  float* position;
  float* velocity;
  int count;
};

__global__ void step(Particles all, float dt) {
  const int i = threadIdx.x;
  if (i < all.count) all.position[i] += dt * all.velocity[i];  // @A
}

int main() {
  Particles all{};
  all.count = 32;
  CK(cudaMalloc(&all.position, 32 * sizeof(float)));
  CK(cudaMemset(all.position, 0, 32 * sizeof(float)));
  step<<<1, 32>>>(all, 0.5f);
  CK(cudaGetLastError());
  std::printf("synchronise: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
