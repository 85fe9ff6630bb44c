// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: core
// hw: ok
// row: M14
// why: a kernel builds the objects whose virtual functions kernels call; those of the host come back as they were
#include <cstdio>
#include <cstdlib>
#include <new>

struct Shape {
  float side;
  __host__ __device__ explicit Shape(float s) : side(s) {}
  __host__ __device__ virtual float area() const { return side; }
};

struct Square : Shape {
  __host__ __device__ explicit Square(float s) : Shape(s) {}
  __host__ __device__ float area() const override { return side * side; }
};

__global__ void build(Square* shapes) { new (shapes + threadIdx.x) Square(threadIdx.x + 2.0f); }

__global__ void areas(const Square* shapes, float* out) {
  const Shape* shape = shapes + threadIdx.x;
  out[threadIdx.x] = shape->area();
}

int main() {
  Square host[2] = {Square(2), Square(3)};
  Square* copied;
  Square* built;
  float* out;
  float result[2];
  if (cudaMalloc(&copied, sizeof host) != cudaSuccess || cudaMalloc(&built, sizeof host) != cudaSuccess) return 3;
  if (cudaMalloc(&out, sizeof result) != cudaSuccess) return 3;
  if (cudaMemcpy(copied, host, sizeof host, cudaMemcpyHostToDevice) != cudaSuccess) return 3;
  build<<<1, 2>>>(built);
  areas<<<1, 2>>>(built, out);
  if (cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost) != cudaSuccess) return 3;
  if (cudaMemcpy(host, copied, sizeof host, cudaMemcpyDeviceToHost) != cudaSuccess) return 3;
  const Shape* first = host;
  const bool right = result[0] == 4 && result[1] == 9 && first->area() == 4;
  std::printf(right ? "PASS\n" : "FAIL\n");
  return right ? 0 : 1;
}
