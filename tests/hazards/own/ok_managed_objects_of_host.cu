// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: ok
// row: M14
// why: managed objects with virtual functions: the host calls those, kernels access the data
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <new>
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

struct Free {
  void operator()(Shape* shape) const {
    shape->~Shape();
    cudaFree(shape);
  }
};

__global__ void grow(Square* shapes) { shapes[threadIdx.x].side += 1; }
__global__ void sides(const Square* shapes, float* out) { out[threadIdx.x] = shapes[threadIdx.x].Square::area(); }

int main() {
  void* memory;
  float* out;
  CK(cudaMallocManaged(&memory, 2 * sizeof(Square)));
  CK(cudaMallocManaged(&out, 2 * sizeof(float)));
  Square* const shapes = new (memory) Square(1);
  new (shapes + 1) Square(2);
  const std::unique_ptr<Shape, Free> first(shapes);
  bool good = true;
  for (int i = 0; i < 3; ++i) {
    grow<<<1, 2>>>(shapes);
    sides<<<1, 2>>>(shapes, out);
    CK(cudaDeviceSynchronize());
    const Shape* second = shapes + 1;
    good = good && first->area() == (2 + i) * (2 + i) && second->area() == out[1] && second->edge() == 3 + i;
  }
  std::printf(good ? "PASS\n" : "FAIL\n");
  return good ? 0 : 1;
}
