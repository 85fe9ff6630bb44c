// expect: oob-global
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: fault
// why: a pageable host pointer is dereferenced on the device (faults unless the system has HMM or ATS)
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void bump(int* p) {
  *p += 1;  // @A
}

int main() {
  int* p = static_cast<int*>(std::malloc(sizeof(int)));
  *p = 1;
  bump<<<1, 1>>>(p);
  CK(cudaGetLastError());
  CK(cudaDeviceSynchronize());
  std::printf("value %d\n", *p);
  std::free(p);
}
