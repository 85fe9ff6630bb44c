// expect: race-global
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// also-ok: livelock
// hw: may-hang
// watchdog: 4
// row: R8
// why: a block polls a plain flag in an empty loop, which compilers may turn into an endless one or delete
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void wait_plain(int* flag, int* out) {
  if (blockIdx.x == 0 && threadIdx.x == 0) *flag = 1;  // @A
  // On one line, since a compiler may load the flag once, before the loop.
  if (blockIdx.x != 0) while (*flag == 0) {}  // @B
  if (blockIdx.x != 0) out[threadIdx.x] = 1;
}

int main() {
  int *flag, *out;
  CK(cudaMalloc(&flag, sizeof *flag));
  CK(cudaMemset(flag, 0, sizeof *flag));
  CK(cudaMalloc(&out, 32 * sizeof *out));
  wait_plain<<<2, 32>>>(flag, out);
  CK(cudaDeviceSynchronize());
  std::printf("PASS\n");
}
