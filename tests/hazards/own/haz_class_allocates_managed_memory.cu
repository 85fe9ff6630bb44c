// expect: oob-global
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: fault
// row: M14
// why: a class with its own operator new, which gives managed memory, has virtual functions
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
  static void operator delete(void* memory) { CK(cudaFree(memory)); }
};

template <class T> struct Scale : Managed {
  T factor;
  __host__ __device__ explicit Scale(T f) : factor(f) {}
  __host__ __device__ virtual T apply(T x) const { return factor * x; }
};

struct Shifted : Scale<float> {
  float by;
  __host__ __device__ Shifted(float f, float b) : Scale<float>(f), by(b) {}
  __host__ __device__ float apply(float x) const override { return factor * x + by; }
};

__global__ void apply(const Scale<float>* scale, float* out) {
  out[threadIdx.x] = scale->apply(threadIdx.x);  // @A
}

int main() {
  float* out;
  CK(cudaMalloc(&out, 32 * sizeof(float)));
  const Scale<float>* scale = new Shifted(2, 1);
  apply<<<1, 32>>>(scale, out);  // @B
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
