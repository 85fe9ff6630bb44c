// expect: oob-global
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: fault
// row: M14
// why: two namespaces have a function of one name, and host code takes the address of the device's
// alone: another program of the unit may have a function of the host with this name, which is then meant
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

using Op = int (*)(int);

namespace cpu {
int twice(int x) { return 2 * x; }
}  // namespace cpu
namespace gpu {
__device__ int twice(int x) { return 2 * x; }
}  // namespace gpu

__global__ void apply(Op op, int* out) {
  out[threadIdx.x] = op(threadIdx.x);  // @A
}

int main() {
  int* out;
  CK(cudaMalloc(&out, 32 * sizeof(int)));
  std::printf("%d\n", cpu::twice(2));
  apply<<<1, 32>>>(gpu::twice, out);  // @B
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
