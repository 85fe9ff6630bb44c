// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: core
// hw: ok
// row: M11
// why: a launch makes objects with constructors, another uses and deletes them; threads reuse what others gave back
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

struct Matrix {
  int rows;
  int* data;
  __device__ explicit Matrix(int n) : rows(n), data(new int[n * n]()) {}
  __device__ ~Matrix() { delete[] data; }
  __device__ int trace() const {
    int sum = 0;
    for (int i = 0; i < rows; ++i) sum += data[i * rows + i];
    return sum;
  }
};

__global__ void make(Matrix** all) {
  Matrix* mine = new Matrix(4);
  for (int i = 0; i < 4; ++i) mine->data[5 * i] = threadIdx.x;
  all[threadIdx.x] = mine;
}

__global__ void use(Matrix** all, int* out) {
  Matrix* other = all[blockDim.x - 1 - threadIdx.x];
  out[threadIdx.x] = other->trace();
  delete other;
  Matrix* next = new Matrix(2);
  next->data[3] = 1;
  out[threadIdx.x] += next->trace();
  delete next;
}

int main() {
  int h[32], *out, bad = 0;
  Matrix** all;
  CK(cudaMalloc(&all, 32 * sizeof(Matrix*)));
  CK(cudaMalloc(&out, sizeof h));
  make<<<1, 32>>>(all);
  use<<<1, 32>>>(all, out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 32; ++i) bad += h[i] != 4 * (31 - i) + 1;
  CK(cudaFree(all));
  CK(cudaFree(out));
  std::printf("%s\n", bad ? "FAIL" : "PASS");
  return bad != 0;
}
