// expect: misaligned
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: fault
// row: M12
// why: a double at an offset of 4 in a shared buffer of bytes
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void unpack(const int* in, double* out) {
  __shared__ __align__(16) char bytes[36];
  if (threadIdx.x < 9) reinterpret_cast<int*>(bytes)[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  if (threadIdx.x == 0) *out = *reinterpret_cast<double*>(bytes + 4);  // @A
}

int main() {
  int* in;
  double* out;
  CK(cudaMalloc(&in, 9 * sizeof(int)));
  CK(cudaMalloc(&out, sizeof(double)));
  CK(cudaMemset(in, 0, 9 * sizeof(int)));
  unpack<<<1, 32>>>(in, out);
  CK(cudaGetLastError());
  CK(cudaDeviceSynchronize());
  std::printf("finished\n");
  CK(cudaFree(in));
  CK(cudaFree(out));
}
