// SPDX-License-Identifier: Apache-2.0
//
// An object with virtual functions that host code constructs and copies to a device.
#include <cstdio>

struct Shape {
  float side;
  __host__ __device__ explicit Shape(float s) : side(s) {}
  __host__ __device__ virtual float area() const { return side * side; }
};

__global__ void areas(const Shape* shape, float* out) {
  out[threadIdx.x] = shape->area();
}

int main() {
  Shape host(3);
  Shape* shape;
  float* out;
  cudaMalloc(&shape, sizeof host);
  cudaMalloc(&out, 4 * sizeof *out);
  cudaMemcpy(shape, &host, sizeof host, cudaMemcpyHostToDevice);
  areas<<<1, 4>>>(shape, out);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
