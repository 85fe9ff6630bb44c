// expect: invalid-free
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: fault
// row: M11
// why: free() on the device of an address inside a block of the heap
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void inside(int* out, int by) {
  int* p = static_cast<int*>(malloc(16 * sizeof(int)));
  p[by] = 7;
  *out = p[by];
  free(p + by);  // @A
}

int main() {
  int* out;
  CK(cudaMalloc(&out, sizeof(int)));
  inside<<<1, 1>>>(out, 4);
  CK(cudaGetLastError());
  CK(cudaDeviceSynchronize());
  std::printf("finished\n");
  CK(cudaFree(out));
}
