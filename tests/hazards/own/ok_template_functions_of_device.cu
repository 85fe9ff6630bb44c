// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: ok
// row: M14
// why: instances of templates of the device: kernels take their addresses, and variables hold them
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

using Op = int (*)(int);

template <class T> __device__ T twice(T x) { return 2 * x; }
template <int kStep> __device__ int add(int x) { return x + kStep; }
template <class T> __host__ __device__ bool is_less(T a, T b) { return a < b; }
template <class T, bool (*kLess)(T, T)> __global__ void smaller(T* data) {
  if (kLess(data[1], data[0])) data[0] = data[1];
}

__device__ Op of_variable = twice<int>;
__constant__ Op constant[2] = {add<1>, &add<2>};

__global__ void fill(Op* table) {
  table[0] = twice<int>;
  table[1] = &add<3>;
}
__global__ void apply(Op first, const Op* table, int* out) {
  out[threadIdx.x] = first(threadIdx.x) + table[threadIdx.x & 1](1) + constant[threadIdx.x & 1](0);
}

template <class T> T least(const T* data, int count, bool (*less)(T, T)) {
  T found = data[0];
  for (int i = 1; i < count; ++i) found = less(data[i], found) ? data[i] : found;
  return found;
}

int main() {
  Op first, *table;
  int *out, h[32];
  CK(cudaMalloc(&table, 2 * sizeof(Op)));
  CK(cudaMalloc(&out, sizeof h));
  CK(cudaMemcpyFromSymbol(&first, of_variable, sizeof first));
  fill<<<1, 1>>>(table);
  apply<<<1, 32>>>(first, table, out);
  CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  bool good = least(h, 32, is_less<int>) == 3 && least<int>(h, 4, &is_less<int>) == 3;
  for (int i = 0; i < 32; ++i) good = good && h[i] == 2 * i + (i % 2 == 0 ? 3 : 6);
  smaller<int, is_less<int>><<<1, 1>>>(out);
  CK(cudaDeviceSynchronize());
  std::printf(good ? "PASS\n" : "FAIL\n");
  return good ? 0 : 1;
}
