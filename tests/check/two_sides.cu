// SPDX-License-Identifier: Apache-2.0
// Calls and variables of the wrong side, which nvcc refuses or warns of, each in a line of its own.
#include <iostream>
#include <cstdlib>

int on_host(int x) { return x + 1; }
constexpr int constant(int x) { return x + 1; }
__device__ int on_device(int x) { return x; }
template <class T> T twice(T x) { return x + x; }
struct Counter {
  Counter() : n(0) {}
  int n;
};
struct Square {
  float operator()(float x) const { return x * x; }
};
__device__ int total;
int host_total;

template <class F>
__global__ void apply(float* out, F f) { *out = f(*out); }

__global__ void bad(int* out) {
  out[0] = on_host(1);
  out[1] = constant(out[0]);
  out[2] = twice(out[0]);
  Counter counter;
  out[3] = counter.n + std::max(out[0], out[1]);
  out[4] = std::rand();
  std::cout << out[0];
  cudaDeviceSynchronize();
  out[5] = host_total;
  total = 1;
}

__host__ __device__ int anywhere(int x) { return on_host(x); }

int main() {
  int* d;
  float* f;
  cudaMalloc(&d, 64);
  cudaMalloc(&f, 64);
  bad<<<1, 1>>>(d);
  bad(d);
  apply<<<1, 1>>>(f, Square());
  const int x = on_device(3);
  __syncthreads();
  total = x;
  unsigned u = x;
  if (u < 0) return 1;
  return anywhere(1) + printf("never run\n");
}
