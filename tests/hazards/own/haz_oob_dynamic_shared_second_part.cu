// expect: oob-shared
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: fault
// row: M4
// why: dynamic shared memory is carved into two arrays, the launch counted only the first
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void carve(const int* in, double* out, int n) {
  extern __shared__ char pool[];
  int* keys = reinterpret_cast<int*>(pool);
  double* values = reinterpret_cast<double*>(pool + n * sizeof(int));
  const int t = threadIdx.x;
  keys[t] = in[t];
  values[t] = in[t] * 0.5;  // @A
  __syncthreads();
  out[t] = keys[n - 1 - t];
}

int main() {
  const int n = 64;
  int h[n], *in;
  double* out;
  for (int i = 0; i < n; ++i) h[i] = i;
  CK(cudaMalloc(&in, sizeof h));
  CK(cudaMalloc(&out, n * sizeof(double)));
  CK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  carve<<<1, n, n * sizeof(int)>>>(in, out, n);
  CK(cudaGetLastError());
  CK(cudaDeviceSynchronize());
  std::printf("finished\n");
  CK(cudaFree(in));
  CK(cudaFree(out));
}
