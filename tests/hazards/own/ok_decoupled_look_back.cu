// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: core
// hw: ok
// row: R8
// why: one-pass scan: blocks publish sums by release stores and look back over their predecessors with acquire loads
#include <cstdio>
#include <cstdlib>
#include <cuda/atomic>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

constexpr int BLOCKS = 6, N = 32;
struct Tile {
  int aggregate, prefix;
  int state;  // 0 nothing, 1 aggregate, 2 prefix
};
using state_ref = cuda::atomic_ref<int, cuda::thread_scope_device>;
__global__ void scan(const int* in, int* out, Tile* tiles, int* ticket) {
  __shared__ int s[N], block, before;
  const int t = threadIdx.x;
  if (t == 0) block = atomicAdd(ticket, 1);  // a block's number is the order in which it started
  __syncthreads();
  s[t] = in[block * N + t];
  __syncthreads();
  for (int d = 1; d < N; d *= 2) {
    const int add = t >= d ? s[t - d] : 0;
    __syncthreads();
    s[t] += add;
    __syncthreads();
  }
  if (t == 0) {
    Tile& own = tiles[block];
    own.aggregate = s[N - 1];
    state_ref(own.state).store(1, cuda::std::memory_order_release);
    int sum = 0;
    for (int b = block - 1; b >= 0; --b) {
      int state;
      while ((state = state_ref(tiles[b].state).load(cuda::std::memory_order_acquire)) == 0) {
      }
      if (state == 2) {
        sum += tiles[b].prefix;
        break;
      }
      sum += tiles[b].aggregate;
    }
    own.prefix = sum + own.aggregate;
    state_ref(own.state).store(2, cuda::std::memory_order_release);
    before = sum;
  }
  __syncthreads();
  out[block * N + t] = before + s[t];
}

int main() {
  int h[BLOCKS * N], r[BLOCKS * N], *in, *out, *ticket, bad = 0;
  Tile* tiles;
  for (int i = 0; i < BLOCKS * N; ++i) h[i] = i % 5;
  CK(cudaMalloc(&in, sizeof h));
  CK(cudaMalloc(&out, sizeof h));
  CK(cudaMalloc(&tiles, BLOCKS * sizeof(Tile)));
  CK(cudaMalloc(&ticket, sizeof(int)));
  CK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  CK(cudaMemset(tiles, 0, BLOCKS * sizeof(Tile)));
  CK(cudaMemset(ticket, 0, sizeof(int)));
  scan<<<BLOCKS, N>>>(in, out, tiles, ticket);
  CK(cudaGetLastError());
  CK(cudaMemcpy(r, out, sizeof r, cudaMemcpyDeviceToHost));
  for (int i = 0, sum = 0; i < BLOCKS * N; ++i) bad += r[i] != (sum += h[i]);
  CK(cudaFree(in));
  CK(cudaFree(out));
  CK(cudaFree(tiles));
  CK(cudaFree(ticket));
  std::printf("%s\n", bad ? "FAIL" : "PASS");
  return bad != 0;
}
