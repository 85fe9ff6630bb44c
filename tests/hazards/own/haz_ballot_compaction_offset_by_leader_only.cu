// expect: bad-mask
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: silent
// row: K4
// why: a compaction shuffles the base from lane 0, which is not among the lanes that keep an element
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void compact(const int* in, int* out, int* count, int n) {
  const int i = threadIdx.x;
  const bool keep = i < n && in[i] % 2 != 0;
  const unsigned mask = __ballot_sync(0xffffffffu, keep);
  if (!keep) return;
  const int lane = threadIdx.x % 32;
  int base = 0;
  if (lane == __ffs(mask) - 1) base = atomicAdd(count, __popc(mask));
  base = __shfl_sync(mask, base, 0);  // @A
  out[base + __popc(mask & ((1u << lane) - 1))] = in[i];
}

int main() {
  int h[32], *in, *out, *count;
  for (int i = 0; i < 32; ++i) h[i] = i;
  CK(cudaMalloc(&in, sizeof h));
  CK(cudaMalloc(&out, sizeof h));
  CK(cudaMalloc(&count, sizeof(int)));
  CK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  CK(cudaMemset(count, 0, sizeof(int)));
  compact<<<1, 32>>>(in, out, count, 32);
  CK(cudaDeviceSynchronize());
  std::printf("finished\n");
  CK(cudaFree(in));
  CK(cudaFree(out));
  CK(cudaFree(count));
}
