// expect: oob-global
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: core
// hw: fault
// row: M14
// why: host code takes the address of an instance of a template of the device
// alone: another program of the unit may have a function of the host with this name, which is then meant
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

using Op = int (*)(int);

template <class T> __device__ T twice(T x) { return 2 * x; }

__global__ void apply(Op op, int* out) {
  out[threadIdx.x] = op(threadIdx.x);  // @A
}

int main() {
  int* out;
  CK(cudaMalloc(&out, 32 * sizeof(int)));
  apply<<<1, 32>>>(&twice<int>, out);  // @B
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
