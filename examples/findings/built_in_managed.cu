// SPDX-License-Identifier: Apache-2.0
//
// An object with virtual functions that host code constructs in managed memory.
#include <cstdio>
#include <new>

struct Shape {
  float side;
  __host__ __device__ explicit Shape(float s) : side(s) {}
  __host__ __device__ virtual float area() const { return side * side; }
};

__global__ void areas(const Shape* shape, float* out) {
  out[threadIdx.x] = shape->area();
}

int main() {
  float* out;
  cudaMalloc(&out, 4 * sizeof *out);
  void* memory;
  cudaMallocManaged(&memory, sizeof(Shape));
  const Shape* shape = new (memory) Shape(3);
  std::printf("%.0f on the host\n", shape->area());
  areas<<<1, 4>>>(shape, out);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
