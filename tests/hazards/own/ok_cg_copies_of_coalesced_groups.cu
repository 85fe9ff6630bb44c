// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: ok
// row: C2
// why: coalesced groups that come and go, some of the same lanes, copy in stages
#include <cstdio>
#include <cstdlib>
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

namespace cg = cooperative_groups;
__global__ void load(const int* in, int* out) {
  __shared__ int s[2][3][16];
  const int t = threadIdx.x;
  const int warp = t / 32;
  int sum = 0;
  for (int turn = 0; turn < 12; ++turn) {
    __syncwarp(turn < 10 ? 0xffffffff : 0xffffff7f);  // groups of one turn only
    if ((t + turn) % 4 != 0) {
      const auto most = cg::coalesced_threads();
      const auto third = cg::labeled_partition(most, t % 3);
      int* const mine = s[warp][t % 3];
      cg::memcpy_async(third, mine, in + 8 * turn, 32);
      cg::memcpy_async(third, mine + 8, in + 8 * turn, 8 * (1 + t % 3));
      cg::wait_prior<1>(third);
      sum += mine[t % 8];
      cg::wait(third);
      sum += mine[8];
      third.sync();
    }
    if (turn == 9 && t % 32 == 7) break;
  }
  out[t] = sum;
}

int main() {
  int h[256], *in, *out;
  for (int i = 0; i < 256; ++i) h[i] = i;
  CK(cudaMalloc(&in, sizeof h));
  CK(cudaMalloc(&out, sizeof h));
  CK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  CK(cudaMemset(out, 0, sizeof h));
  load<<<1, 64>>>(in, out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  bool right = true;
  for (int t = 0; t < 64; ++t) {
    int sum = 0;
    for (int turn = 0; turn < 12; ++turn) {
      if ((t + turn) % 4 != 0) sum += 16 * turn + t % 8;
      if (turn == 9 && t % 32 == 7) break;
    }
    right = right && h[t] == sum;
  }
  std::printf("%s\n", right ? "PASS" : "FAIL");
  CK(cudaFree(in));
  CK(cudaFree(out));
  return right ? 0 : 1;
}
