// expect: cg-misuse
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// also-ok: bad-mask,deadlock
// hw: may-hang
// row: C6
// why: a coalesced group is formed once and used in a loop that its members leave one after the other
#include <cstdio>
#include <cstdlib>
#include <cooperative_groups.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

namespace cg = cooperative_groups;
__global__ void uneven(int* out) {
  auto active = cg::coalesced_threads();
  int sum = 0;
  for (unsigned i = 0; i < 1 + active.thread_rank() % 3; ++i) {
    sum += active.any(i > 0);  // @A
  }
  __syncwarp();
  out[threadIdx.x] = sum;
}

int main() {
  int h[32], *out;
  CK(cudaMalloc(&out, sizeof h));
  uneven<<<1, 32>>>(out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  std::printf("out[0] = %d\n", h[0]);
  CK(cudaFree(out));
}
