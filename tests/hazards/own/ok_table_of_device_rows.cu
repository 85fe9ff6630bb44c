// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: ok
// row: M14
// why: a table of pointers in device memory to rows in device memory
#include <cstdio>
#include <vector>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)


__global__ void first(float** rows, float* out) {
  out[threadIdx.x] =
      rows[threadIdx.x][0];
}

int main() {
  constexpr int R = 8;
  float *table[R], **d, h[R], *out;
  std::vector<float> row(4, 1.0f);
  for (float*& r : table) {
    CK(cudaMalloc(&r, 4 * sizeof(float)));
    CK(cudaMemcpy(r, row.data(), 4 * sizeof(float), cudaMemcpyHostToDevice));
  }
  CK(cudaMalloc(&d, sizeof table));
  CK(cudaMalloc(&out, sizeof h));
  CK(cudaMemcpy(d, table, sizeof table, cudaMemcpyHostToDevice));
  first<<<1, R>>>(d, out);
  CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  std::puts(h[7] == 1 ? "PASS" : "FAIL");
}
