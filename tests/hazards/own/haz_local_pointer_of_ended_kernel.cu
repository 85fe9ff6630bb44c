// expect: local-escape
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: core
// hw: silent
// row: M13
// why: a kernel leaves the address of a table of its own stack in a structure, and a later kernel reads through it
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

struct View {
  const float* values;
  int count;
};

__global__ void make(View* view) {
  float table[8];
  for (int i = 0; i < 8; ++i) table[i] = 1.5f * i;
  view->values = table;
  view->count = 8;
}
__global__ void scale(float* data) { data[threadIdx.x] *= 2; }
__global__ void sum(const View* view, float* out) {
  float total = 0;
  for (int i = 0; i < view->count; ++i) total += view->values[i];  // @A
  *out = total;
}

int main() {
  View* view;
  float *data, *out, h = 0;
  CK(cudaMalloc(&view, sizeof(View)));
  CK(cudaMalloc(&data, 32 * sizeof(float)));
  CK(cudaMalloc(&out, sizeof h));
  CK(cudaMemset(data, 0, 32 * sizeof(float)));
  make<<<1, 1>>>(view);
  scale<<<1, 32>>>(data);
  sum<<<1, 1>>>(view, out);
  CK(cudaMemcpy(&h, out, sizeof h, cudaMemcpyDeviceToHost));
  std::printf("%f, in one address space it would be 42\n", h);
}
