// expect: race-global
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: core
// hw: silent
// row: R8
// why: all threads of a block add to the bins, thread 0 counts the block, and no barrier lies between the two
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void count(const int* in, unsigned* bins, unsigned* retired, unsigned* out) {
  __shared__ bool last;
  const unsigned t = threadIdx.x;
  atomicAdd(&bins[in[blockIdx.x * 64 + t]], 1u);  // @A __syncthreads() is missing behind it
  if (t == 0) {
    __threadfence();
    last = atomicAdd(retired, 1u) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && t == 0) {
    __threadfence();
    unsigned sum = 0;
    for (unsigned bin = 0; bin < 16; ++bin) sum += bins[bin];  // @B
    *out = sum;
    *retired = 0;
  }
}

int main() {
  int h[256], *in;
  unsigned r = 0, *bins, *retired, *out;
  for (int i = 0; i < 256; ++i) h[i] = i % 16;
  CK(cudaMalloc(&in, sizeof h));
  CK(cudaMalloc(&bins, 16 * sizeof(unsigned)));
  CK(cudaMalloc(&retired, sizeof(unsigned)));
  CK(cudaMalloc(&out, sizeof(unsigned)));
  CK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  CK(cudaMemset(bins, 0, 16 * sizeof(unsigned)));
  CK(cudaMemset(retired, 0, sizeof(unsigned)));
  count<<<4, 64>>>(in, bins, retired, out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(&r, out, sizeof r, cudaMemcpyDeviceToHost));
  std::printf("sum %u of 256\n", r);
  CK(cudaFree(in));
  CK(cudaFree(bins));
  CK(cudaFree(retired));
  CK(cudaFree(out));
}
