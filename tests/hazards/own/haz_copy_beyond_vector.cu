// expect: oob-global
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: silent
// row: M1
// why: a copy to the host is longer than the vector that takes it
#include <cstdio>
#include <cstdlib>
#include <vector>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

int main() {
  float* d;
  CK(cudaMalloc(&d, 64 * sizeof(float)));
  CK(cudaMemset(d, 0, 64 * sizeof(float)));
  std::vector<float> h(63);
  const cudaError_t error = cudaMemcpy(h.data(), d, 64 * sizeof(float), cudaMemcpyDeviceToHost);  // @A
  std::printf("%s\n", cudaGetErrorName(error));
  CK(cudaFree(d));
}
