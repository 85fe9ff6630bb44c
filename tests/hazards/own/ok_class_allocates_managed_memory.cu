// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: ok
// row: M14
// why: a class with its own operator new, which gives managed memory: kernels call functions that are not virtual
#include <cstdio>
#include <cstdlib>
#include <new>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

struct Managed {
  static void* operator new(std::size_t bytes) {
    void* memory = nullptr;
    CK(cudaMallocManaged(&memory, bytes));
    return memory;
  }
  static void* operator new[](std::size_t bytes) { return operator new(bytes); }
  static void operator delete(void* memory) { cudaFree(memory); }
  static void operator delete[](void* memory) { cudaFree(memory); }
};

template <class T> struct Buffer : Managed {
  T data[32];
  int size = 0;
  virtual ~Buffer() {}
  virtual const char* name() const { return "buffer"; }
  __host__ __device__ void push(T x) { data[size++] = x; }
};
struct Named : Buffer<int> {
  const char* name() const override { return "named"; }
};

__global__ void fill(Buffer<int>* buffer, int count) {
  for (int i = 0; i < count; ++i) buffer->push(i);
}

int main() {
  Buffer<int>* buffer = new Named;
  Named* several = new Named[2];
  bool good = true;
  for (int round = 0; round < 3; ++round) {
    fill<<<1, 1>>>(buffer, 4);
    fill<<<1, 1>>>(several + 1, 3);
    CK(cudaDeviceSynchronize());
    good = good && buffer->name()[0] == 'n' && buffer->size == 4 * (round + 1);
  }
  const Buffer<int>* last = several + 1;
  good = good && last->name()[0] == 'n' && last->size == 9;
  delete buffer;
  delete[] several;
  std::printf(good ? "PASS\n" : "FAIL\n");
  return good ? 0 : 1;
}
