// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: ok
// row: C2
// why: tiles copy sizes of their own in two stages, one of them a third time; then the whole block copies
#include <cstdio>
#include <cstdlib>
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

namespace cg = cooperative_groups;
__global__ void load(const int* in, int* out) {
  __shared__ int s[3][64];
  auto block = cg::this_thread_block();
  auto tile = cg::tiled_partition<16>(block);
  const unsigned t = block.thread_rank();
  const unsigned elements = 4 * (1 + tile.meta_group_rank());
  const unsigned first = 16 * tile.meta_group_rank();
  for (unsigned stage = 0; stage < 2; ++stage) {
    cg::memcpy_async(tile, s[stage] + first, in + first + 64 * stage, elements * sizeof(int));
  }
  if (tile.meta_group_rank() == 2) cg::memcpy_async(tile, s[2], in + 128, 64);
  cg::wait(tile);
  int sum = 0;
  if (tile.thread_rank() < elements) sum = s[0][t] + s[1][t];
  if (tile.meta_group_rank() == 2) sum += s[2][tile.thread_rank()];
  block.sync();
  cg::memcpy_async(block, s[0], in + 192, 64 * sizeof(int));
  cg::memcpy_async(block, s[1], 64, in, 32);
  cg::wait_prior<1>(block);
  sum += s[0][63 - t];
  cg::wait(block);
  out[64 * blockIdx.x + t] = sum + s[1][t % 32];
}

int main() {
  int h[256], *in, *out;
  for (int i = 0; i < 256; ++i) h[i] = i;
  CK(cudaMalloc(&in, sizeof h));
  CK(cudaMalloc(&out, sizeof h));
  CK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  CK(cudaMemset(out, 0, sizeof h));
  load<<<2, 64>>>(in, out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  bool right = true;
  for (int i = 0; i < 128; ++i) {
    const int t = i % 64, tile = t / 16, rank = t % 16;
    int sum = 255 - t + t % 32;
    if (rank < 4 * (1 + tile)) sum += t + t + 64;
    if (tile == 2) sum += 128 + rank;
    right = right && h[i] == sum;
  }
  std::printf("%s\n", right ? "PASS" : "FAIL");
  CK(cudaFree(in));
  CK(cudaFree(out));
  return right ? 0 : 1;
}
