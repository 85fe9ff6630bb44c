// expect: oob-global
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: fault
// row: M14
// why: the host constructs an array in a managed variable
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

alignas(Square) __managed__ char memory[4 * sizeof(Square)];

__global__ void last(float* out) {
  const Shape* shape = reinterpret_cast<const Square*>(memory) + 3;
  *out = shape->area();  // @A
}

int main() {
  float* out;
  CK(cudaMalloc(&out, sizeof(float)));
  Square* all = reinterpret_cast<Square*>(memory);
  for (int i = 0; i < 4; ++i) new (all + i) Square(i);
  last<<<1, 1>>>(out);  // @B
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
