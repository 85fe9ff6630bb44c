// expect: race-global
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: silent
// row: R12
// why: the host refills registered memory that a kernel still reads through its mapping
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void take(const int* from, int* to) {
  to[threadIdx.x] = from[threadIdx.x];  // @A
}

int main() {
  constexpr int kCount = 256;
  int *values = static_cast<int*>(std::calloc(kCount, sizeof(int))), *mapped, *to;
  CK(cudaHostRegister(values, kCount * sizeof(int), cudaHostRegisterMapped));
  CK(cudaHostGetDevicePointer(&mapped, values, 0));
  CK(cudaMalloc(&to, kCount * sizeof(int)));
  for (int i = 0; i < kCount; ++i) values[i] = i;
  take<<<1, kCount>>>(mapped, to);
  CK(cudaGetLastError());
  for (int i = 0; i < kCount; ++i) values[i] = 2 * i;  // @B  cudaDeviceSynchronize() is missing
  CK(cudaDeviceSynchronize());
  CK(cudaHostUnregister(values));
  CK(cudaFree(to));
  std::free(values);
}
