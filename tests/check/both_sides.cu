// SPDX-License-Identifier: Apache-2.0
// What looks like a call of the wrong side and is none: nvcc takes it, and nothing is said of it.
#include <cassert>
#include <cstdio>
#include <algorithm>
#include <vector>

struct Timer {
  Timer() : started(1) {}
  ~Timer() { started = 0; }
  double seconds() const { return started; }
  double started;
};
struct Vector {
  float x, y;
  __host__ __device__ Vector(float a, float b) : x(a), y(b) {}
  __host__ __device__ Vector operator+(const Vector& o) const { return Vector(x + o.x, y + o.y); }
  Vector() = default;
};
template <class T>
struct Buffer {
  Buffer(size_t n) { cudaMalloc(&p, n * sizeof(T)); }
  ~Buffer() { cudaFree(p); }
  T* get() { return p; }
  T* p;
};
struct Named {
  __device__ int size() const { return 3; }
  int length() const { return 4; }
};
struct Other {
  int size() const { return 5; }
  __device__ int length() const { return 6; }
};
template <int N>
struct Static {
  static __device__ int device() { return N; }
  static int host() { return N; }
  static constexpr int value = N;
};

__device__ int declared(int x);
int declared(int x) { return x + 1; }  // the qualifier is the declaration's
__device__ int overloaded(int x) { return x; }
float overloaded(float x) { return x; }
extern "C" void step(int* p, int blocks);
template <int N>
__global__ void step(int* p) { p[0] += N; }
void step(int* p, int blocks) { step<2><<<blocks, 1>>>(p); }

int of_host() { return 2; }
__host__ __device__ int where() {
#ifdef __CUDA_ARCH__
  return 1;
#else
  return of_host();
#endif
}

constexpr int kN = 4;
const float kHalf = 0.5f;
__device__ int counter;
__constant__ float table[4];
__managed__ int managed;
__shared__ int shared_total;

template <class F>
__global__ void run(int n, F f) {
  if (threadIdx.x < n) f(threadIdx.x);
}

__global__ void good(int* out, Named named) {
  __shared__ float row[kN];
  if (threadIdx.x != 0) return;
  shared_total = 0;
  for (int i = 0; i < kN; ++i) row[i] = kHalf + table[i];
  const auto add = [&](auto x) { return x + named.size() + declared(1); };
  const Vector v = Vector(1, 2) + Vector(3, 4);
  float* heap = new float[2];
  memset(heap, 0, 2 * sizeof(float));
  out[1] = add(1) + Static<2>::device() + Static<3>::value + Other().length() + overloaded(1) + where();
  out[2] = static_cast<int>(v.x + std::sqrt(4.0f) + fmaxf(row[0], 1.0f) + heap[0]) + max(1, 2) + abs(-3);
  delete[] heap;
  atomicAdd(&counter, 1);
  assert(out[1] > 0);
  if (cudaGetLastError() != cudaSuccess) printf("never\n");
}

int main() {
  Timer timer;
  Buffer<int> buffer(8);
  int* p = buffer.get();
  cudaMemset(p, 0, 8 * sizeof(int));
  good<<<1, 32>>>(p, Named());
  step(p, 1);
  run<<<1, 32>>>(8, [=] __device__(int i) { p[i] = declared(i) + Other().length(); });
  std::vector<int> order{3, 1, 2};
  std::sort(order.begin(), order.end());
  int count = 0;
  cudaMemcpyFromSymbol(&count, counter, sizeof(counter));
  void* address = nullptr;
  cudaGetSymbolAddress(&address, table);
  void (*kernel)(int*, Named) = good;
  kernel<<<1, 1>>>(p, Named());
  cudaDeviceSynchronize();
  managed = count + Named().length() + Other().size() + Static<1>::host() + static_cast<int>(overloaded(1.0f));
  printf("%d %d\n", count, managed + where() + static_cast<int>(timer.seconds() + sizeof(table)));
}
