// expect: oob-global
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: fault
// row: M14
// why: the result goes to a local variable of main (faults unless the system has HMM or ATS)
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void answer(int* p) {
  *p = 42;  // @A
}

int main() {
  int result = 0;
  answer<<<1, 1>>>(&result);
  CK(cudaGetLastError());
  CK(cudaDeviceSynchronize());
  std::printf("result %d\n", result);
}
