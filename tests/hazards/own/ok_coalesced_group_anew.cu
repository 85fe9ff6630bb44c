// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: ok
// row: C6
// why: the same loop, but the group is formed again from whoever is left; only the size of the groups is counted
#include <cstdio>
#include <cstdlib>
#include <cooperative_groups.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

namespace cg = cooperative_groups;
__global__ void uneven(int* out) {
  const unsigned lane = threadIdx.x % 32;
  for (unsigned i = 0; i < 1 + lane % 3; ++i) {
    auto active = cg::coalesced_threads();
    active.sync();
    if (active.thread_rank() == 0) atomicAdd(out, int(active.size()));
    active.sync();
  }
}

int main() {
  int h = 0, *out;
  CK(cudaMalloc(&out, sizeof h));
  CK(cudaMemset(out, 0, sizeof h));
  uneven<<<1, 96>>>(out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(&h, out, sizeof h, cudaMemcpyDeviceToHost));
  CK(cudaFree(out));
  std::printf("%s\n", h != 3 * 63 ? "FAIL" : "PASS");
  return h != 3 * 63;
}
