// expect: oob-global
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: core
// hw: fault
// row: M14
// why: objects with virtual functions are copied from the host, with the host's table of functions
#include <cstdio>
#include <cstdlib>

struct Shape {
  float side;
  __host__ __device__ explicit Shape(float s) : side(s) {}
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
  const Square host[2] = {Square(2), Square(3)};
  Square* shapes;
  float* out;
  if (cudaMalloc(&shapes, sizeof host) != cudaSuccess) return 3;
  if (cudaMalloc(&out, 2 * sizeof(float)) != cudaSuccess) return 3;
  if (cudaMemcpy(shapes, host, sizeof host, cudaMemcpyHostToDevice) != cudaSuccess) return 3;
  areas<<<1, 2>>>(shapes, out);  // @B
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
