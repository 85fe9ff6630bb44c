// SPDX-License-Identifier: Apache-2.0
//
// What goes wrong in bodies of kernels, and in what their declarations promise.
#include <cstdio>

__constant__ float table[16];

class Pair {
 public:
  __device__ int sum() const { return a + c; }  // mistake: c;

 private:
  int a;
};

__global__ void names(Pair pair, int* p) {
  int i = threadIdx.x + blockDim.X;  // mistake: X
  p[i] = pair.a;  // mistake: a;
  p[i] = threadldx.y;  // mistake: threadldx
  __sync_threads();  // mistake: __sync_threads
}

__global__ void __launch_bounds__(BOUND, 2) bounded(int* p) {  // mistake: BOUND
  p[0] = 1;
}

__global__ void functions(float* f, int* i) {
  atomicAdd(f, "x");  // mistake
  atomicAdd(i);  // mistake
  int v = __shfl_sync(0xffffffff, f, 0);  // mistake
  static_assert(sizeof(float) == 8, "a float has 4 bytes");  // mistake
}

template <class T>
__global__ void asserted(T* p) {
  static_assert(sizeof(T) == 4, "only for types of 4 bytes");  // mistake
  p[0] = T(1);
}

__global__ void not_constant(
    int* p,
    __grid_constant__ int n) {  // mistake
  p[0] = n;
}

struct Large {
  char bytes[32761];
};

__global__ void large(Large values, int n) {  // mistake
  printf("%d %d", values.bytes[0], n);
}

template <class T>
__global__ void as_large_as_it_gets(T values) {
  printf("%d", values.bytes[0]);
}

int main() {
  as_large_as_it_gets<<<1, 1>>>(Large{});
  float h[16];
  cudaMemcpyToSymbol(missing, h, sizeof h);  // mistake: missing
  cudaMemcpyToSymbol(table, h);  // mistake
  cudaMalloc(h, 4);  // mistake
  cudaMemcpy(h, h, 4, 1);  // mistake
  asserted<double><<<1, 1>>>(nullptr);
  cudaDeviceSynchronise();  // mistake: cudaDeviceSynchronise
}
