// expect: cg-misuse
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// also-ok: local-escape
// hw: silent
// row: C5
// why: two threads wait with each other's token, of the same phase
#include <cooperative_groups.h>
#include <cstdio>
#include <cstdlib>
#include <utility>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

namespace cg = cooperative_groups;
using Token = cg::thread_block::arrival_token;

__global__ void exchange(int* out) {
  __shared__ alignas(Token) unsigned char places[2][sizeof(Token)];
  auto block = cg::this_thread_block();
  auto tile = cg::tiled_partition<32>(block);
  const unsigned t = block.thread_rank();
  Token token = block.barrier_arrive();  // @A
  if (t < 2) new (places[t]) Token(std::move(token));
  tile.sync();
  if (t < 2) token = std::move(*reinterpret_cast<Token*>(places[1 - t]));
  block.barrier_wait(std::move(token));  // @B
  out[t] = t;
}

int main() {
  int* out;
  CK(cudaMalloc(&out, 64 * sizeof(int)));
  exchange<<<1, 64>>>(out);
  CK(cudaGetLastError());
  CK(cudaDeviceSynchronize());
  std::printf("finished\n");
  CK(cudaFree(out));
}
