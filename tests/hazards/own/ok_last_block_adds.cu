// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: core
// hw: ok
// row: R8
// why: the last block adds the partial sums of all: every thread stores and fences, then thread 0 counts with atomicInc
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void total(const int* in, int* partial, unsigned* retired, int* out) {
  __shared__ bool last;
  const int t = threadIdx.x;
  partial[blockIdx.x * 64 + t] = in[blockIdx.x * 64 + t] * 2;
  __threadfence();
  __syncthreads();
  if (t == 0) last = atomicInc(retired, gridDim.x - 1) == gridDim.x - 1;
  __syncthreads();
  if (last) {
    __threadfence();
    int sum = 0;
    for (unsigned b = 0; b < gridDim.x; ++b) sum += partial[b * 64 + 63 - t];
    atomicAdd(out, sum);
  }
}

int main() {
  int h[256], r = 0, *in, *partial, *out;
  unsigned* retired;
  for (int i = 0; i < 256; ++i) h[i] = i;
  CK(cudaMalloc(&in, sizeof h));
  CK(cudaMalloc(&partial, sizeof h));
  CK(cudaMalloc(&retired, sizeof(unsigned)));
  CK(cudaMalloc(&out, sizeof(int)));
  CK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  CK(cudaMemset(retired, 0, sizeof(unsigned)));
  CK(cudaMemset(out, 0, sizeof(int)));
  for (int launch = 0; launch < 2; ++launch) total<<<4, 64>>>(in, partial, retired, out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(&r, out, sizeof(int), cudaMemcpyDeviceToHost));
  CK(cudaFree(in));
  CK(cudaFree(partial));
  CK(cudaFree(retired));
  CK(cudaFree(out));
  std::printf("%s\n", r != 4 * 32640 ? "FAIL" : "PASS");
  return r != 4 * 32640;
}
