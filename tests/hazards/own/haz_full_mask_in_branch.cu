// expect: bad-mask
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// also-ok: deadlock
// hw: may-hang
// row: K2
// why: a shuffle with the full mask in a branch of twenty lanes, while the others wait at the __syncwarp behind it
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void broadcast(int* out) {
  const int lane = threadIdx.x;
  int v = lane;
  if (lane < 20) v = __shfl_sync(0xffffffffu, v, 0);  // @A
  __syncwarp();                                       // @B
  out[lane] = v;
}

int main() {
  int h[32], *out;
  CK(cudaMalloc(&out, sizeof h));
  broadcast<<<1, 32>>>(out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  std::printf("out[1] = %d\n", h[1]);
  CK(cudaFree(out));
}
