// expect: bad-mask
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// also-ok: deadlock
// hw: may-hang
// row: K5
// why: the lanes that were active before a branch are taken for those inside it
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void odd_only(int* out) {
  const int lane = threadIdx.x;
  const unsigned active = __activemask();
  int v = lane;
  if (lane % 2) v = __reduce_add_sync(active, v);  // @A
  __syncwarp();
  out[lane] = v;
}

int main() {
  int h[32], *out;
  CK(cudaMalloc(&out, sizeof h));
  odd_only<<<1, 32>>>(out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  std::printf("out[1] = %d\n", h[1]);
  CK(cudaFree(out));
}
