// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: ok
// row: M14
// why: while a kernel runs the host calls virtual functions of managed objects that the kernel does not access
#include <cstdio>
#include <cstdlib>
#include <new>
#include <typeinfo>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

struct Shape {
  float side;
  __host__ __device__ explicit Shape(float s) : side(s) {}
  __host__ __device__ virtual ~Shape() {}
  __host__ __device__ virtual float edge() const { return side; }
  __host__ __device__ virtual float area() const { return side; }
};

struct Square : Shape {
  __host__ __device__ explicit Square(float s) : Shape(s) {}
  __host__ __device__ float area() const override { return side * side; }
};

__global__ void count(int* out) {
  for (int i = 0; i < 2000; ++i) atomicAdd(out + threadIdx.x, 1);
}

int main() {
  Square* shapes;
  int *out, h[32];
  CK(cudaMallocManaged(&shapes, 4 * sizeof(Square)));
  CK(cudaMalloc(&out, sizeof h));
  CK(cudaMemset(out, 0, sizeof h));
  for (int i = 0; i < 2; ++i) new (shapes + i) Square(i);
  count<<<4, 32>>>(out);
  float sum = 0;
  for (int i = 2; i < 4; ++i) new (shapes + i) Square(i);
  for (int round = 0; round < 100; ++round) {
    for (int i = 0; i < 4; ++i) {
      const Shape* shape = shapes + i;
      sum += shape->area() + shape->edge();
      if (typeid(*shape) != typeid(Square) || dynamic_cast<const Square*>(shape) == nullptr) sum = 0;
    }
  }
  CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  Square copy(5);
  CK(cudaMemcpy(static_cast<void*>(&copy), shapes + 3, sizeof copy, cudaMemcpyDeviceToHost));
  const Shape* copied = &copy;
  const bool good = sum == 2000 && h[3] == 8000 && copied->area() == 9;
  std::printf(good ? "PASS\n" : "FAIL\n");
  return good ? 0 : 1;
}
