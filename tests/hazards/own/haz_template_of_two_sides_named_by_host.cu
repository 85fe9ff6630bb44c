// expect: oob-global
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: fault
// row: M14
// why: a table of host code has the addresses of instances of a template of both sides
// alone: another program of the unit may have a function of the host with this name, which is then meant
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

using Op = int (*)(int);

template <int kStep, class T = int> __host__ __device__ T add(T x) { return x + kStep; }
const Op table[] = {add<1>, &add<2, int>};

__global__ void apply(Op op, int* out) {
  out[threadIdx.x] = op(threadIdx.x);  // @A
}

int main() {
  int* out;
  CK(cudaMalloc(&out, 32 * sizeof(int)));
  apply<<<1, 32>>>(table[1], out);  // @B
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
