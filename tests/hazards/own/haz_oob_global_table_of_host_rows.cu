// expect: oob-global
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: fault
// row: M14
// why: a table on the device holds pointers to rows on the host
#include <cstdio>
#include <vector>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)


__global__ void first(float** rows, float* out) {
  out[threadIdx.x] =
      rows[threadIdx.x][0];  // @A
}

int main() {
  constexpr int R = 8;
  float *table[R], **d, h[R], *out;
  std::vector<float> row(4, 1.0f);
  for (float*& r : table) {
    r = static_cast<float*>(std::malloc(4 * sizeof(float)));
    r[0] = 1;
  }
  CK(cudaMalloc(&d, sizeof table));
  CK(cudaMalloc(&out, sizeof h));
  CK(cudaMemcpy(d, table, sizeof table, cudaMemcpyHostToDevice));
  first<<<1, R>>>(d, out);
  CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  std::puts(h[7] == 1 ? "PASS" : "FAIL");
}
