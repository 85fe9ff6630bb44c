// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: ok
// row: M14
// why: pinned, registered and mapped host memory may be used by kernels
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void copy(const int* in, int* out) { out[threadIdx.x] = in[threadIdx.x] + 1; }

int main() {
  static int registered[64];
  int *pinned, *mapped, *view, bad = 0;
  CK(cudaMallocHost(&pinned, 64 * sizeof(int)));
  CK(cudaHostAlloc(&mapped, 64 * sizeof(int), cudaHostAllocMapped));
  CK(cudaHostRegister(registered, sizeof registered, cudaHostRegisterDefault));
  CK(cudaHostGetDevicePointer(&view, mapped, 0));
  for (int i = 0; i < 64; ++i) registered[i] = i;
  copy<<<1, 64>>>(registered, pinned);
  copy<<<1, 64>>>(pinned, view);
  CK(cudaGetLastError());
  CK(cudaDeviceSynchronize());
  for (int i = 0; i < 64; ++i) bad += mapped[i] != i + 2;
  CK(cudaHostUnregister(registered));
  CK(cudaFreeHost(pinned));
  CK(cudaFreeHost(mapped));
  std::printf("%s\n", bad ? "FAIL" : "PASS");
  return bad != 0;
}
