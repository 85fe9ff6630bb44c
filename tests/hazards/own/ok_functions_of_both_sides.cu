// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: ok
// row: M14
// why: functions of both sides: the host calls what host code has named, kernels what device code has
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

#include <algorithm>
#include <functional>
#include <vector>

using Op = int (*)(int);

__host__ __device__ int twice(int x) { return 2 * x; }
__host__ __device__ int thrice(int x) { return 3 * x; }
__host__ __device__ double half(double x) { return x / 2; }
__host__ __device__ float half(float x) { return x / 2; }
__host__ __device__ bool is_more(int a, int b) { return a > b; }

__device__ Op of_device = twice;
__device__ Op table[2] = {twice, thrice};

template <class F> int call(F f, int x) { return f(x); }
template <class F> int call_reference(F& f, int x) { return f(x); }
Op chosen(bool which) { return which ? twice : thrice; }

__global__ void apply(Op op, int* out) {
  Op mine = threadIdx.x % 2 == 0 ? twice : thrice;
  out[threadIdx.x] = op(threadIdx.x) + mine(1) + table[threadIdx.x & 1](1);
}
__global__ void pick(Op* to) { *to = twice; }

int main() {
  int *out, h[32];
  Op op = twice, *slot;
  std::vector<int> values = {1, 3, 2};
  std::sort(values.begin(), values.end(), is_more);
  std::function<int(int)> held = thrice;
  double (*half_of)(double) = half;
  auto reference = std::ref(twice);
  bool good = op == twice && chosen(true) == op && op != thrice && values[0] == 3 && held(2) == 6 && half_of(3) == 1.5;
  good = good && call(twice, 4) == 8 && call_reference(thrice, 4) == 12 && reference(5) == 10;
  CK(cudaMalloc(&out, sizeof h));
  CK(cudaMalloc(&slot, sizeof op));
  CK(cudaMemcpyFromSymbol(&op, of_device, sizeof op));
  apply<<<1, 32>>>(op, out);
  pick<<<1, 1>>>(slot);
  CK(cudaMemcpy(&op, slot, sizeof op, cudaMemcpyDeviceToHost));
  apply<<<1, 32>>>(op, out);
  CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 32; ++i) good = good && h[i] == 2 * i + (i % 2 == 0 ? 4 : 6);
  std::printf(good ? "PASS\n" : "FAIL\n");
  return good ? 0 : 1;
}
