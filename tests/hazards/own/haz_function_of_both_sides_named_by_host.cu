// expect: oob-global
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: core
// hw: fault
// row: M14
// why: a table of functions of both sides, whose addresses host code has taken, is copied to constant memory
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

using Op = float (*)(float, float);

__host__ __device__ float plus(float a, float b) { return a + b; }
__host__ __device__ float times(float a, float b) { return a * b; }

__constant__ Op operations[2];
static const Op table[] = {plus, times};

__global__ void apply(float* out) {
  out[threadIdx.x] = operations[threadIdx.x & 1](threadIdx.x, 3);  // @A
}

int main() {
  float* out;
  CK(cudaMalloc(&out, 32 * sizeof(float)));
  CK(cudaMemcpyToSymbol(operations, table, sizeof table));
  apply<<<1, 32>>>(out);  // @B
  std::printf("%s, on the host %f\n", cudaGetErrorName(cudaDeviceSynchronize()), table[1](2, 3));
}
