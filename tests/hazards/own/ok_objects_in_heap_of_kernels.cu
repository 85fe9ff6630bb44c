// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: ok
// row: M14
// why: a kernel makes objects with new and keeps pointers in managed memory; the host has a factory of the same classes
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>
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

__host__ __device__ Shape* make(int kind, float side) {
  return kind == 0 ? new Shape(side) : static_cast<Shape*>(new Square(side));
}

__global__ void build(Shape** shapes) { shapes[threadIdx.x] = make(threadIdx.x & 1, threadIdx.x); }
__global__ void areas(Shape* const* shapes, float* out) { out[threadIdx.x] = shapes[threadIdx.x]->area(); }
__global__ void destroy(Shape** shapes) { delete shapes[threadIdx.x]; }

int main() {
  Shape** shapes;
  float* out;
  CK(cudaMallocManaged(&shapes, 8 * sizeof(Shape*)));
  CK(cudaMallocManaged(&out, 8 * sizeof(float)));
  build<<<1, 8>>>(shapes);
  areas<<<1, 8>>>(shapes, out);
  CK(cudaDeviceSynchronize());
  bool good = true;
  std::vector<std::unique_ptr<Shape>> own;
  own.push_back(std::make_unique<Square>(9.0f));
  for (int i = 0; i < 8; ++i) own.emplace_back(make(i & 1, i));
  for (int i = 0; i < 8; ++i) good = good && out[i] == own[i + 1]->area();
  destroy<<<1, 8>>>(shapes);
  CK(cudaDeviceSynchronize());
  std::printf(good && own[0]->area() == 81 ? "PASS\n" : "FAIL\n");
  return good ? 0 : 1;
}
