// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: ok
// row: R12
// why: half of an array is registered; the host uses all of it between launches and after it is unregistered
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

#define COUNT 512

__global__ void twice(int* p) { p[threadIdx.x] *= 2; }

int main() {
  std::vector<int> values(COUNT);
  int bad = 0;
  int* const part = values.data() + COUNT / 4;
  for (int round = 0; round < 2; ++round) {
    CK(cudaHostRegister(part, COUNT / 2 * sizeof(int), cudaHostRegisterMapped));
    int* mapped;
    CK(cudaHostGetDevicePointer(&mapped, part, 0));
    std::memset(values.data(), 0, COUNT * sizeof(int));
    for (int i = 0; i < COUNT; ++i) values[i] = i;
    twice<<<1, COUNT / 2>>>(mapped);
    for (int i = 0; i < COUNT / 4; ++i) values[i] = 1;  // outside of what is registered
    CK(cudaDeviceSynchronize());
    for (int i = 0; i < COUNT / 2; ++i) bad += part[i] != 2 * (i + COUNT / 4);
    CK(cudaHostUnregister(part));
    std::memset(values.data(), 0, COUNT * sizeof(int));
  }
  std::printf("%s\n", bad ? "FAIL" : "PASS");
  return bad != 0;
}
