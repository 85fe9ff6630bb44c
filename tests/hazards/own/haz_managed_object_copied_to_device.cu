// expect: oob-global
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: fault
// row: M14
// why: an object that the host constructed in managed memory is copied to memory of the device
#include <cstdio>
#include <cstdlib>
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

__global__ void areas(const Square* shapes, float* out) {
  const Shape* shape = shapes + threadIdx.x;
  out[threadIdx.x] = shape->area();  // @A
}

int main() {
  Square *managed, *shapes;
  float* out;
  CK(cudaMallocManaged(&managed, sizeof(Square)));
  CK(cudaMalloc(&shapes, sizeof(Square)));
  CK(cudaMalloc(&out, sizeof(float)));
  new (managed) Square(3);
  CK(cudaMemcpy(shapes, managed, sizeof(Square), cudaMemcpyDeviceToDevice));
  areas<<<1, 1>>>(shapes, out);  // @B
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
