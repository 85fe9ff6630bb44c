// expect: race-global
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: silent
// row: R12
// why: two blocks add to one word of registered memory without an atomic
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void add(int* sum) {
  if (threadIdx.x == 0) *sum += 1;  // @A
}

int main() {
  static int values[1024];
  int* mapped;
  CK(cudaHostRegister(values, sizeof values / 2, cudaHostRegisterMapped));
  CK(cudaHostGetDevicePointer(&mapped, values, 0));
  add<<<4, 32>>>(mapped + 3);
  CK(cudaGetLastError());
  CK(cudaDeviceSynchronize());
  std::printf("%d\n", values[3]);
  CK(cudaHostUnregister(values));
}
