// expect: oob-global
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: fault
// row: M14
// why: host code takes the address of the one of two overloads that is the device's
// alone: another program of the unit may have a function of the host with this name, which is then meant
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

using Op = int (*)(int);

__host__ float half(float x) { return x / 2; }
__device__ int half(int x) { return x / 2; }

__global__ void apply(Op op, int* out) {
  out[threadIdx.x] = op(threadIdx.x);  // @A
}

int main() {
  int* out;
  CK(cudaMalloc(&out, 32 * sizeof(int)));
  float (*of_host)(float) = half;
  Op of_device = half;
  std::printf("%f\n", of_host(3));
  apply<<<1, 32>>>(of_device, out);  // @B
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
