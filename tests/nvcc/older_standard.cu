// SPDX-License-Identifier: Apache-2.0
//
// What C++17 allows and C++20, to which CUDA source is translated, does not: programs that were written for the older
// language build and mean the same.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <optional>
#include <utility>
#include <vector>

using namespace std;

// C++20 has a std::lerp of these types.
__host__ __device__ float lerp(float a, float b, float t) {
  return a + t * (b - a);
}

// Functions of POSIX, which no header of the standard library may bring along.
int *link, *read, pipe, access[4];
float pause;
cudaError_t sync() {
  return cudaDeviceSynchronize();
}

// An aggregate of C++17, and constructors that repeat the arguments of their template.
struct Range {
  __host__ __device__ Range() = default;
  Range(const Range&) = default;
  float from;
  float to;
};

// No aggregate: without the constructors it could not be copied.
struct Handle {
  Handle() = default;
  Handle(const Handle&) = default;
  Handle(Handle&&) = default;
  Handle& operator=(Handle&&) = default;
  int value = 1;
};

template <class T, int N>
class Array {
 public:
  __host__ __device__ Array<T, N>() : values_() {}
  __host__ __device__ explicit Array<T, N>(T first) : values_{first} {}
  __host__ __device__ ~Array();
  __host__ __device__ T operator[](int i) const { return values_[i]; }

 private:
  T values_[N];
};
template <class T>
struct Empty {
  ~Empty<T>() {}
};

template <class T, int N>
__host__ __device__ Array<T, N>::~Array<T, N>() {}

// Names that C++20 has made keywords.
enum Phase { co_yield, constinit };
template <class concept>
struct Job {
  concept requires;
  __host__ __device__ int consteval(int co_await) const { return requires + co_await; }
};
__global__ void count(int* requires, Job<int> co_return) {
  requires[0] = co_return.consteval(constinit);
  for (int concept = 0; concept < 2; ++concept) requires[0] += co_return.requires;
}

__global__ void mix(float* p) {
  const Range range{p[1], p[2]};
  *p = lerp(range.from, range.to, 0.5F + Array<float, 2>(7)[1]);
}

int main() {
  float* p = nullptr;
  cudaMallocManaged(&p, 3 * sizeof(float));
  p[1] = 2;
  p[2] = 4;
  mix<<<1, 1>>>(p);
  const std::optional<std::pair<Handle, int>> some{std::in_place};
  const std::optional<std::pair<Handle, int>> same = some;
  const Empty<int> empty;
  static_cast<void>(empty);
  int* requires = nullptr;
  cudaMallocManaged(&requires, sizeof(int));
  count<<<1, 1>>>(requires, Job<int>{5});
  const bool counted = sync() == cudaSuccess && *requires == 16;
  cudaFree(requires);
  const bool right = counted && same->first.value == 1 && sync() == cudaSuccess && *p == lerp(2.0F, 4.0F, 0.5F);
  cudaFree(p);
  puts(right ? "PASS" : "FAIL");
  return right ? 0 : 1;
}
