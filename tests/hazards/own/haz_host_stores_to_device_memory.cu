// expect: host-access
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: silent
// row: M14
// why: the host fills memory of cudaMalloc in a loop; the handler ends the program where the host faults
#include <csignal>
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void twice(int* p) { p[threadIdx.x] *= 2; }

int main() {
  constexpr int N = 32;
  int* values;
  CK(cudaMalloc(&values, N * sizeof(int)));
  std::signal(SIGSEGV, [](int) { std::_Exit(1); });
  for (int i = 0; i < N; ++i) values[i] = i;  // @A
  twice<<<1, N>>>(values);
  CK(cudaGetLastError());
  CK(cudaDeviceSynchronize());
}
