// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: ok
// row: M14
// why: objects and lambdas without virtual functions go to kernels by value and through managed memory
#include <cstdio>
#include <cstdlib>
#include <new>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

struct Twice {
  __host__ __device__ int operator()(int x) const { return 2 * x; }
};
template <class F> struct Kept {
  F function;
  int offset;
  __host__ __device__ int call(int x) const { return function(x) + offset; }
};

template <class F> __global__ void apply(F function, int* out) { out[threadIdx.x] = function(threadIdx.x); }
template <class F> __global__ void call(const Kept<F>* kept, int* out) { out[threadIdx.x] += kept->call(threadIdx.x); }

int main() {
  int *out, h[32];
  Kept<Twice>* kept;
  CK(cudaMalloc(&out, sizeof h));
  CK(cudaMallocManaged(&kept, sizeof *kept));
  new (kept) Kept<Twice>{Twice(), 1};
  const int step = 3;
  const auto host_only = [step](int x) { return x + step; };
  apply<<<1, 32>>>(Twice(), out);
  call<<<1, 32>>>(kept, out);
  CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  bool good = host_only(1) == 4 && kept->call(2) == 5;
  for (int i = 0; i < 32; ++i) good = good && h[i] == 4 * i + 1;
  std::printf(good ? "PASS\n" : "FAIL\n");
  return good ? 0 : 1;
}
