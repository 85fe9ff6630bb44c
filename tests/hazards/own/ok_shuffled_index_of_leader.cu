// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: ok
// row: K4
// why: __ffs of the mask
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void bases(const int* flag, int* tail, int* out) {
  const unsigned lane = threadIdx.x % 32;
  const unsigned with = __ballot_sync(0xffffffffu, flag[threadIdx.x]);
  if (!flag[threadIdx.x]) return;
  const int leader = __ffs(with) - 1;
  int base = 0;
  if (lane == unsigned(__ffs(with) - 1)) base = atomicAdd(tail, __popc(with));
  base = __shfl_sync(with, base, leader);
  out[base + __popc(with & ((1u << lane) - 1))] = threadIdx.x;
}
int main() {
  int h[64], *flag, *tail, *out;
  for (int i = 0; i < 64; ++i) h[i] = i % 3 == 1;
  CK(cudaMalloc(&flag, sizeof h));
  CK(cudaMalloc(&tail, sizeof(int)));
  CK(cudaMalloc(&out, sizeof h));
  CK(cudaMemset(tail, 0, sizeof(int)));
  CK(cudaMemcpy(flag, h, sizeof h, cudaMemcpyHostToDevice));
  bases<<<1, 64>>>(flag, tail, out);
  CK(cudaMemcpy(h, tail, sizeof(int), cudaMemcpyDeviceToHost));
  std::puts(h[0] == 21 ? "PASS" : "FAIL");
  CK(cudaFree(flag));
  CK(cudaFree(tail));
  CK(cudaFree(out));
}
