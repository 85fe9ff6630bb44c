// SPDX-License-Identifier: Apache-2.0
// Accesses in functions that are called, by every kind of call; the argument says which.
#include <cstdio>
#include <cstring>

struct Shape {
  __device__ virtual void mark(int* at) const { *at = 1; }
};
struct Square : Shape {
  __device__ void mark(int* at) const override { *at = 2; }
};

__device__ __noinline__ void one(int* at) {
  *at = 1;
}
__device__ __noinline__ void two(int* at) {
  *at = 2;
}
__device__ __noinline__ int count_down(int* at, int from) {
  if (from == 0) return *at;
  return count_down(at, from - 1) + 1;
}
__device__ __noinline__ int fibonacci(int* at, int of) {
  return of < 2 ? atomicAdd(at, 1) : fibonacci(at, of - 1) + fibonacci(at, of - 2);
}

__global__ void by_virtual(int* at) {
  Shape shape;
  Square square;
  const Shape* of_thread = threadIdx.x == 0 ? &shape : &square;
  of_thread->mark(at);
}

__global__ void by_pointer(int* at) {
  void (*const of_thread)(int*) = threadIdx.x == 0 ? one : two;
  of_thread(at);
}

__global__ void by_recursion(int* at) {
  if (threadIdx.x == 0) one(at);
  if (threadIdx.x == 1) *at = count_down(at, 40);
}

__global__ void by_many_ways(int* at) {
  if (threadIdx.x == 0) fibonacci(at, 14);
  if (threadIdx.x == 1) one(at);
}

__global__ void beyond(int* at) {
  one(at + 100);
}

int main(int argc, char** argv) {
  const char* how = argc > 1 ? argv[1] : "";
  int* at;
  cudaMalloc(&at, 64 * sizeof(int));
  cudaMemset(at, 0, 64 * sizeof(int));
  if (std::strcmp(how, "virtual") == 0) by_virtual<<<1, 2>>>(at);
  if (std::strcmp(how, "pointer") == 0) by_pointer<<<1, 2>>>(at);
  if (std::strcmp(how, "recursion") == 0) by_recursion<<<1, 2>>>(at);
  if (std::strcmp(how, "many-ways") == 0) by_many_ways<<<1, 2>>>(at);
  if (std::strcmp(how, "beyond") == 0) beyond<<<1, 1>>>(at);
  cudaDeviceSynchronize();
  cudaFree(at);
}
