// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: ok
// row: M14
// why: functions of the host and of the device by one name: each side takes the addresses of its own
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

using Op = int (*)(int);

namespace cpu {
int twice(int x) { return 2 * x; }
struct Ops {
  static int apply(int x) { return 5 * x; }
};
}  // namespace cpu
namespace gpu {
__device__ int twice(int x) { return 2 * x; }
struct Ops {
  static __device__ int apply(int x) { return 5 * x; }
};
__global__ void pick(Op* to) {
  to[0] = twice;
  to[1] = Ops::apply;
}
}  // namespace gpu

__host__ float halved(float x) { return x / 2; }
__device__ int halved(int x) { return x / 2; }

__device__ Op of_device = halved;

template <class Ops> int run(int x) {
  Op op = Ops::apply;
  return op(x);
}

__global__ void apply(Op first, const Op* others, int* out) {
  Op mine = gpu::twice;
  out[threadIdx.x] = first(threadIdx.x) + others[threadIdx.x & 1](1) + mine(1);
}

int main() {
  using cpu::twice;
  int *out, h[32];
  Op op = twice, of_kernel, *others;
  float (*half)(float) = halved;
  bool good = op(4) == 8 && half(3) == 1.5f && run<cpu::Ops>(2) == 10;
  op = &cpu::twice;
  good = good && op(1) == 2;
  op = &cpu::Ops::apply;
  good = good && op(1) == 5;
  CK(cudaMalloc(&out, sizeof h));
  CK(cudaMalloc(&others, 2 * sizeof(Op)));
  CK(cudaMemcpyFromSymbol(&of_kernel, of_device, sizeof of_kernel));
  gpu::pick<<<1, 1>>>(others);
  apply<<<1, 32>>>(of_kernel, others, out);
  CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 32; ++i) good = good && h[i] == i / 2 + (i % 2 == 0 ? 2 : 5) + 2;
  std::printf(good ? "PASS\n" : "FAIL\n");
  return good ? 0 : 1;
}
