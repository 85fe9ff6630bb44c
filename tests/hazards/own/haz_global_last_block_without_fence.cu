// expect: race-global
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: silent
// row: R8
// why: the last block adds the partial sums of all, but no fence orders them before the counter
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void total(const int* in, int* partial, unsigned* retired, int* out) {
  __shared__ int s;
  __shared__ bool last;
  const int t = threadIdx.x;
  if (t == 0) s = 0;
  __syncthreads();
  atomicAdd(&s, in[blockIdx.x * 32 + t]);
  __syncthreads();
  if (t == 0) {
    partial[blockIdx.x] = s;  // @A
    last = atomicInc(retired, gridDim.x - 1) == gridDim.x - 1;  // __threadfence() is missing before it
  }
  __syncthreads();
  if (last && t == 0) {
    int sum = 0;
    for (unsigned b = 0; b < gridDim.x; ++b) sum += partial[b];  // @B
    *out = sum;
  }
}

int main() {
  int h[128], r = 0, *in, *partial, *out;
  unsigned* retired;
  for (int i = 0; i < 128; ++i) h[i] = i;
  CK(cudaMalloc(&in, sizeof h));
  CK(cudaMalloc(&partial, 4 * sizeof(int)));
  CK(cudaMalloc(&retired, sizeof(unsigned)));
  CK(cudaMalloc(&out, sizeof(int)));
  CK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  CK(cudaMemset(retired, 0, sizeof(unsigned)));
  total<<<4, 32>>>(in, partial, retired, out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(&r, out, sizeof(int), cudaMemcpyDeviceToHost));
  std::printf("sum %d of 8128\n", r);
  CK(cudaFree(in));
  CK(cudaFree(partial));
  CK(cudaFree(retired));
  CK(cudaFree(out));
}
