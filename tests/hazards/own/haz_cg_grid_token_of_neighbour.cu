// expect: cg-misuse
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// also-ok: local-escape
// hw: silent
// row: C5
// why: two threads wait for the grid with each other's token
#include <cstdio>
#include <cstdlib>
#include <cooperative_groups.h>
#include <new>
#include <utility>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

namespace cg = cooperative_groups;
using Token = cg::grid_group::arrival_token;

__global__ void exchange(int* out) {
  __shared__ alignas(Token) unsigned char places[2][sizeof(Token)];
  auto grid = cg::this_grid();
  auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  const unsigned t = threadIdx.x;
  Token token = grid.barrier_arrive();  // @A
  if (t < 2) new (places[t]) Token(std::move(token));
  tile.sync();
  if (t < 2) token = std::move(*reinterpret_cast<Token*>(places[1 - t]));
  grid.barrier_wait(std::move(token));  // @B
  out[grid.thread_rank()] = t;
}

int main() {
  int* out;
  CK(cudaMalloc(&out, 128 * sizeof(int)));
  void* arguments[] = {&out};
  CK(cudaLaunchCooperativeKernel((void*)exchange, dim3(2), dim3(64), arguments, 0, nullptr));
  CK(cudaDeviceSynchronize());
  std::printf("finished\n");
  CK(cudaFree(out));
}
