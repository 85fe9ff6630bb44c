// expect: misaligned
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: fault
// why: a 16-byte vector load from an address that is only 4-byte aligned
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void load4(const int* in, int4* out) {
  *out = *reinterpret_cast<const int4*>(in + 1);  // @A
}

int main() {
  int* in;
  int4* out;
  CK(cudaMalloc(&in, 64 * sizeof(int)));
  CK(cudaMalloc(&out, sizeof(int4)));
  CK(cudaMemset(in, 0, 64 * sizeof(int)));
  load4<<<1, 1>>>(in, out);
  CK(cudaGetLastError());
  CK(cudaDeviceSynchronize());
  std::printf("finished\n");
  CK(cudaFree(in));
  CK(cudaFree(out));
}
