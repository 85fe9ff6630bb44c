// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: ok
// row: M14
// why: static member functions: a kernel fills a table with the device's, the host calls its own
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

using Op = int (*)(int);

struct Ops {
  static __device__ int twice(int x) { return 2 * x; }
  static __device__ int thrice(int x) { return 3 * x; }
  static __host__ __device__ int both(int x) { return x + 1; }
  static int of_host(int x) { return x - 1; }
  template <int kStep> static __host__ __device__ int add(int x) { return x + kStep; }
};
template <class T> struct Plus {
  static __host__ __device__ T apply(T a, T b) { return a + b; }
};

__device__ Op of_variable = &Ops::twice;

__global__ void fill(Op* table) {
  table[0] = Ops::twice;
  table[1] = &Ops::thrice;
}
__global__ void apply(Op* table, int* out) { out[threadIdx.x] = table[threadIdx.x & 1](threadIdx.x); }

template <class F> int call(F f, int x) { return f(x); }
template <class T> T fold(T (*f)(T, T), T a, T b) { return f(a, b); }

int main() {
  Op *table, op;
  int *out, h[32];
  CK(cudaMalloc(&table, 2 * sizeof(Op)));
  CK(cudaMalloc(&out, sizeof h));
  fill<<<1, 1>>>(table);
  apply<<<1, 32>>>(table, out);
  CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  bool good = call(Ops::both, 1) == 2 && call(&Ops::of_host, 1) == 0 && fold(Plus<int>::apply, 2, 3) == 5;
  good = good && call(Ops::add<4>, 1) == 5;
  op = Ops::both;
  good = good && op(3) == 4 && op == &Ops::both;
  for (int i = 0; i < 32; ++i) good = good && h[i] == (i % 2 == 0 ? 2 : 3) * i;
  CK(cudaMemcpyFromSymbol(&op, of_variable, sizeof op));
  CK(cudaMemcpy(table, &op, sizeof op, cudaMemcpyHostToDevice));
  apply<<<1, 1>>>(table, out);
  CK(cudaDeviceSynchronize());
  std::printf(good ? "PASS\n" : "FAIL\n");
  return good ? 0 : 1;
}
