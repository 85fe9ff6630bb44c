// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: ok
// row: M14
// why: a kernel constructs objects in managed and mapped memory over those of the host; copies of them are a kernel's too
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

__global__ void build(Square* shapes) { new (shapes + threadIdx.x) Square(threadIdx.x + 2.0f); }

__global__ void areas(const Square* shapes, float* out) {
  const Shape* shape = shapes + threadIdx.x;
  out[threadIdx.x] = shape->area();
}

float* out;

bool right(const Square* shapes) {
  areas<<<1, 2>>>(shapes, out);
  CK(cudaDeviceSynchronize());
  return out[0] == 4 && out[1] == 9;
}

int main() {
  Square *managed, *mapped, *copied, *other;
  CK(cudaMallocManaged(&managed, 2 * sizeof(Square)));
  CK(cudaMallocManaged(&other, 2 * sizeof(Square)));
  CK(cudaMallocManaged(&out, 2 * sizeof(float)));
  CK(cudaHostAlloc(&mapped, 2 * sizeof(Square), cudaHostAllocMapped));
  CK(cudaMalloc(&copied, 2 * sizeof(Square)));
  bool good = true;
  for (Square* shapes : {managed, mapped}) {
    for (int i = 0; i < 2; ++i) new (shapes + i) Square(1);
    build<<<1, 2>>>(shapes);
    good = good && right(shapes) && right(shapes);
  }
  new (other) Square(7);
  new (other + 1) Square(7);
  CK(cudaMemcpy(other, managed, 2 * sizeof(Square), cudaMemcpyDeviceToDevice));
  CK(cudaMemcpy(copied, managed, 2 * sizeof(Square), cudaMemcpyDefault));
  good = good && right(other) && right(copied);
  std::printf(good ? "PASS\n" : "FAIL\n");
  return good ? 0 : 1;
}
