// expect: host-access
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: silent
// row: M14
// why: cudaMalloc() is to store the pointers of rows in an array that is in device memory
#include <csignal>
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

int main() {
  float** rows;
  std::signal(SIGSEGV, [](int) { std::_Exit(1); });
  CK(cudaMalloc(&rows, 4 * sizeof(float*)));
  for (int i = 0; i < 4; ++i) {
    CK(cudaMalloc(&rows[i], 64 * sizeof(float)));  // @A
  }
  std::printf("%p\n", static_cast<void*>(rows));
}
