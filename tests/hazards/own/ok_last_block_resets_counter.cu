// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: core
// hw: ok
// row: R4
// why: the block that draws the last ticket sets the counter back by an ordinary store, for the next launch
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__device__ unsigned retired = 0;

__global__ void sum(const int* in, int* parts, int* out) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    int part = 0;
    for (int i = 0; i < 32; ++i) part += in[blockIdx.x * 32 + i];
    parts[blockIdx.x] = part;
    __threadfence();
    last = atomicInc(&retired, gridDim.x) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last || threadIdx.x != 0) return;
  int total = 0;
  for (unsigned i = 0; i < gridDim.x; ++i) total += parts[i];
  *out = total;
  retired = 0;
}

int main() {
  int h[256], r[2], *in, *parts, *out, bad = 0;
  for (int i = 0; i < 256; ++i) h[i] = i;
  CK(cudaMalloc(&in, sizeof h));
  CK(cudaMalloc(&parts, 8 * sizeof(int)));
  CK(cudaMalloc(&out, sizeof r));
  CK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  for (int i = 0; i < 2; ++i) sum<<<8, 32>>>(in, parts, out + i);
  CK(cudaGetLastError());
  CK(cudaMemcpy(r, out, sizeof r, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 2; ++i) bad += r[i] != 32640;
  CK(cudaFree(in));
  CK(cudaFree(parts));
  CK(cudaFree(out));
  std::printf("%s\n", bad ? "FAIL" : "PASS");
  return bad != 0;
}
