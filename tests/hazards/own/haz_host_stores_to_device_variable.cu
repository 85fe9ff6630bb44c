// expect: host-access
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: silent
// row: M14
// why: the host assigns to a __device__ variable, which is another variable there
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__device__ int threshold = 1;

__global__ void above(const int* in, int* out) { out[threadIdx.x] = in[threadIdx.x] > threshold; }

int main() {
  constexpr int N = 32;
  int host[N];
  int *in, *out;
  for (int i = 0; i < N; ++i) host[i] = i;
  CK(cudaMalloc(&in, sizeof host));
  CK(cudaMalloc(&out, sizeof host));
  CK(cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice));
  threshold = 7;  // @A
  above<<<1, N>>>(in, out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
  std::printf("%d\n", host[5]);
}
