// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: ok
// why: binary and labeled partitions created by the whole tile, then used separately by each part
#include <cstdio>
#include <cstdlib>
#include <cooperative_groups.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

namespace cg = cooperative_groups;
__global__ void parts(int* out) {
  auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  const int lane = tile.thread_rank();
  auto mod3 = cg::labeled_partition(tile, lane % 3);
  auto low = cg::binary_partition(tile, lane < 10);
  int v = __popc(mod3.ballot(1));
  if (lane < 10) {
    v += 100 * low.shfl(lane, 9);
  } else {
    v += 100 * low.shfl(lane, 0);
  }
  out[threadIdx.x] = v;
}

int main() {
  int h[32], *out, bad = 0;
  CK(cudaMalloc(&out, sizeof h));
  parts<<<1, 32>>>(out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 32; ++i) bad += h[i] != (i % 3 == 2 ? 10 : 11) + (i < 10 ? 900 : 1000);
  CK(cudaFree(out));
  std::printf("%s\n", bad ? "FAIL" : "PASS");
  return bad != 0;
}
