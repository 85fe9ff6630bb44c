// expect: use-after-free
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: silent
// row: M11
// why: one kernel makes objects, the next deletes them, and a third one calls them
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

struct Shape {
  float side;
  __device__ virtual float area() const { return side * side; }
  __device__ virtual ~Shape() {}
};
__global__ void make(Shape** all) { all[threadIdx.x] = new Shape{}; all[threadIdx.x]->side = float(threadIdx.x); }
__global__ void destroy(Shape** all) { delete all[threadIdx.x]; }
__global__ void measure(Shape* const* all, float* out) {
  out[threadIdx.x] = all[threadIdx.x]->side * 2;  // @A
}

int main() {
  Shape** all;
  float* out;
  CK(cudaMalloc(&all, 8 * sizeof *all));
  CK(cudaMalloc(&out, 8 * sizeof *out));
  make<<<1, 8>>>(all);
  destroy<<<1, 8>>>(all);
  measure<<<1, 8>>>(all, out);
  CK(cudaGetLastError());
  CK(cudaDeviceSynchronize());
  std::printf("finished\n");
  CK(cudaFree(all));
  CK(cudaFree(out));
  return 0;
}
