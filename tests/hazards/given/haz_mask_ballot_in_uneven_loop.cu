// expect: bad-mask
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// also-ok: deadlock
// hw: may-hang
// why: full-mask ballot in a loop that lanes leave one by one; the leavers already wait at the next __syncwarp
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void drain(int* out) {
  const int lane = threadIdx.x;
  int left = lane, rounds = 0;
  while (left > 0) {
    rounds += __popc(__ballot_sync(0xffffffffu, left & 1));  // @A
    --left;
  }
  __syncwarp();  // @B
  out[lane] = rounds;
}

int main() {
  int h[32], *out;
  CK(cudaMalloc(&out, sizeof h));
  drain<<<1, 32>>>(out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  std::printf("lane 31: %d\n", h[31]);
  CK(cudaFree(out));
}
