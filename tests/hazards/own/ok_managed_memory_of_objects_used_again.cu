// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: ok
// row: M14
// why: managed memory in which the host had objects is freed, filled or given to a kernel, which constructs its own
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

int main() {
  float *out, h[2];
  CK(cudaMalloc(&out, sizeof h));
  bool good = true;
  for (int round = 0; round < 4; ++round) {
    Square* shapes;
    CK(cudaMallocManaged(&shapes, 2 * sizeof(Square)));
    for (int i = 0; i < 2; ++i) {
      const Shape* shape = new (shapes + i) Square(3);
      good = good && shape->area() == 9;
      shapes[i].~Square();
    }
    if (round % 2 == 0) CK(cudaMemset(static_cast<void*>(shapes), 0, 2 * sizeof(Square)));
    build<<<1, 2>>>(shapes);
    areas<<<1, 2>>>(shapes, out);
    areas<<<1, 2>>>(shapes, out);
    CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
    good = good && h[0] == 4 && h[1] == 9;
    CK(cudaFree(shapes));
  }
  std::printf(good ? "PASS\n" : "FAIL\n");
  return good ? 0 : 1;
}
