// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: ok
// row: M4
// why: dynamic shared memory is carved into doubles, pairs of floats, halves and bytes, to the last byte of the launch
#include <cuda_fp16.h>
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

template <class T>
__device__ T* carve(unsigned char*& at, int count) {
  T* begin = reinterpret_cast<T*>(at);
  at += sizeof(T) * count;
  return begin;
}
__global__ void mix(double* out, int n) {
  extern __shared__ __align__(16) unsigned char all[];
  unsigned char* at = all;
  float2* pairs = carve<float2>(at, n);
  double* sums = carve<double>(at, n);
  __half* halves = carve<__half>(at, n);
  unsigned char* bytes = carve<unsigned char>(at, n);
  const int i = threadIdx.x;
  pairs[i] = make_float2(float(i), 1);
  halves[i] = __float2half(0.5f);
  bytes[i] = static_cast<unsigned char>(i);
  __syncthreads();
  const int j = n - 1 - i;
  sums[i] = pairs[j].x + pairs[j].y + __half2float(halves[j]) + bytes[j];
  __syncthreads();
  out[i] = sums[j];
}

int main() {
  double h[33], *out;
  int bad = 0;
  CK(cudaMalloc(&out, sizeof h));
  mix<<<1, 33, 33 * (sizeof(float2) + sizeof(double) + sizeof(__half) + 1)>>>(out, 33);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 33; ++i) bad += h[i] != 2 * i + 1.5;
  CK(cudaFree(out));
  std::printf("%s\n", bad ? "FAIL" : "PASS");
  return bad != 0;
}
