// expect: bad-mask
// SPDX-License-Identifier: Apache-2.0
// needs: sm_80
// tier: core
// also-ok: deadlock
// hw: may-hang
// row: K6
// why: warps of a block walk lists of uneven length; lanes that are done go to the barrier while the rest still reduce with all
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void walk(const int* length, int* out) {
  __shared__ int total;
  if (threadIdx.x == 0) total = 0;
  __syncthreads();
  const int n = length[threadIdx.x];
  int sum = 0;
  for (int i = 0; i < n; ++i) {
    sum += __reduce_add_sync(0xffffffffu, i);  // @A
  }
  atomicAdd(&total, sum);
  __syncthreads();  // @B
  if (threadIdx.x == 0) *out = total;
}

int main() {
  int h[64], *length, *out;
  for (int i = 0; i < 64; ++i) h[i] = i < 32 ? 3 : 1 + i % 4;
  CK(cudaMalloc(&length, sizeof h));
  CK(cudaMalloc(&out, sizeof(int)));
  CK(cudaMemcpy(length, h, sizeof h, cudaMemcpyHostToDevice));
  walk<<<1, 64>>>(length, out);
  CK(cudaGetLastError());
  std::printf("synchronise: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
